import type { FastifyInstance } from 'fastify';
import { registerCapture } from './capture/serve.ts';
import { openClicks } from './clicks/clicks.ts';
import { describedPostbacks } from './contract/described.ts';
import { contractDialect } from './contract/reply.ts';
import { creatorExists } from './creators/creators-sql.ts';
import { storeExists } from './merchants/stores-sql.ts';
import { cookieName } from './people/cookie.ts';
import { createIdentify } from './people/identify.ts';
import { mount } from './people/mount.ts';
import { requestLimit } from './people/request-limits.ts';
import type { Config } from './platform/config.ts';
import { isDatabaseAway } from './platform/database/away.ts';
import { isReachable, nightTimeOuts, openDatabase, webTimeOuts } from './platform/database/database.ts';
import { migrate } from './platform/database/migrate.ts';
import { listen } from './platform/database/notices.ts';
import { sandboxClock } from './platform/database/sandbox-clock.ts';
import { registerDocs } from './platform/http/docs.ts';
import { describeApi } from './platform/http/openapi.ts';
import { createServer } from './platform/http/server.ts';
import { registerWeb } from './platform/http/web.ts';
import { openFaultPoints } from './platform/fault-points.ts';
import { migrateJobs, startJobs } from './platform/jobs.ts';
import type { Log } from './platform/log.ts';
import { createMetrics } from './platform/metrics.ts';
import { ownAddressOf } from './platform/own-address.ts';
import type { Platform } from './platform/platform.ts';
import { createSecrets } from './platform/secrets.ts';
import { realClock, secondMs } from './platform/time.ts';
import { openPostbacks } from './postbacks.ts';
import { registerProviderNews } from './provider-news.ts';
import { keepMoneyApart } from './providers/keep-apart.ts';
import { openProviders } from './providers/providers.ts';
import { apiRoutes } from './routes.ts';
import { eachMinute, tasksOf } from './schedule.ts';
import { toldInLog } from './platform/database/sql-errors.ts';

export type ServiceOptions = {
  readonly config: Config;
  readonly databaseUrl: string;
  readonly secretKey: Buffer;
  readonly log: Log;
  /** The built dashboards; null where nobody looks at pages. */
  readonly webFolder: string | null;
};
export type Service = { readonly platform: Platform; readonly url: string; readonly stop: () => Promise<void> };

const webConnectionsMax = 16;
const nightConnectionsMax = 4;
const clockRefreshMs = secondMs;

/** Puts the house together, from the ground up, and takes it apart in the reverse order. */
export async function startService(options: ServiceOptions): Promise<Service> {
  const platform = openPlatform(options);
  const { config, database, log } = platform;
  const ends: Array<() => Promise<void>> = [() => platform.notices.close(), () => platform.nightDatabase.end(), () => database.end()];
  const stop = async () => {
    for (const end of ends.splice(0))
      await end().catch((error: unknown) => log.error({ error: toldInLog(error) }, 'a part did not stop in order'));
  };
  try {
    await migrate(database);
    await keepMoneyApart(platform);
    await migrateJobs(options.databaseUrl, log);
    await platform.clock.refresh();
    const clockTimer = setInterval(() => void platform.clock.refresh().catch(() => {}), clockRefreshMs);
    ends.unshift(async () => clearInterval(clockTimer));

    const providers = openProviders(platform);
    const clicks = await openClicks(platform);
    ends.unshift(clicks.close);
    const postbacks = openPostbacks(platform, clicks.ring);
    ends.unshift(postbacks.close);
    const app = createServer({
      trustedProxies: config.trustedProxies,
      dialects: [contractDialect(postbacks.refusals.count)],
      isTemporary: isDatabaseAway,
      onFault: (error, at) => log.error({ ...at, error: toldInLog(error) }, 'a request failed'),
    });
    registerHealth(app, platform);
    registerCapture(app);
    clicks.register(app);
    postbacks.register(app);
    registerProviderNews(app, { platform, providers });
    const routes = apiRoutes({ ring: clicks.ring, providers });
    mount(app, platform, routes, { identify: createIdentify(platform), tooMany: requestLimit(config), storeExists, creatorExists });
    registerDocs(app, () =>
      describeApi({ baseUrl: config.baseUrl, sessionCookie: cookieName(config.baseUrl), routes, postbacks: describedPostbacks() }),
    );
    if (options.webFolder !== null) registerWeb(app, options.webFolder);
    await app.listen({ host: config.host, port: config.port });
    ends.unshift(() => app.close());
    platform.own.url = ownAddressOf({ host: config.host, port: portOf(app, config) }).url;

    const jobs = await startJobs({ url: options.databaseUrl, log, tasks: tasksOf({ platform, providers }), eachMinute });
    ends.unshift(jobs.stop);
    return { platform, url: urlOf(app, config), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

export function openPlatform({ config, databaseUrl, secretKey, log }: Omit<ServiceOptions, 'webFolder'>): Platform {
  const onIdleError = (error: Error) => log.warn({ error: error.message }, 'a connection to the database broke');
  const connection = { url: databaseUrl, onIdleError };
  const database = openDatabase({ ...connection, name: 'web', connectionsMax: webConnectionsMax, timeOuts: webTimeOuts });
  return {
    config,
    database,
    nightDatabase: openDatabase({ ...connection, name: 'night', connectionsMax: nightConnectionsMax, timeOuts: nightTimeOuts }),
    clock: config.mode === 'sandbox' ? sandboxClock(database) : realClock,
    log,
    metrics: createMetrics(),
    secrets: createSecrets(secretKey),
    notices: listen(database, log),
    own: ownAddressOf(config),
    ...openFaultPoints(config.dieAt),
  };
}

/** `healthz`: the process lives. `readyz`: it can serve. */
function registerHealth(app: FastifyInstance, { database }: Platform): void {
  app.get('/healthz', async () => ({ ok: true, reason: 'alive' }));
  app.get('/readyz', async (_request, reply) => {
    if (await isReachable(database)) return { ok: true, reason: 'ready' };
    return reply
      .status(503)
      .header('retry-after', '1')
      .send({ ok: false, reason: 'temporarily_unavailable', message: 'The database does not answer.' });
  });
}

/** Where it listens in fact: with port 0 the system chose. */
function urlOf(app: FastifyInstance, config: Config): string {
  return config.port === 0 ? `http://127.0.0.1:${portOf(app, config)}` : config.baseUrl;
}

function portOf(app: FastifyInstance, config: Config): number {
  const address = app.addresses()[0];
  return typeof address === 'object' ? address.port : config.port;
}
