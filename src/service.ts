import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { openPageInspector, type PageInspector } from './capture/page-inspector.ts';
import { registerCapture } from './capture/serve.ts';
import { openClicks, type Clicks } from './clicks/clicks.ts';
import { describedPostbacks } from './contract/described.ts';
import { contractDialect } from './contract/reply.ts';
import { creatorExists } from './creators/creators-sql.ts';
import { storeExists } from './merchants/stores-sql.ts';
import { cookieName } from './people/cookie.ts';
import { createIdentify } from './people/identify.ts';
import { mount, type MountOptions } from './people/mount.ts';
import { rememberOperators } from './people/remembered-operators.ts';
import { requestLimit } from './people/request-limits.ts';
import type { Config } from './platform/config.ts';
import { isDatabaseAway } from './platform/database/away.ts';
import { isReachable, nightTimeOuts, openDatabase, webTimeOuts } from './platform/database/database.ts';
import { isDistributed } from './platform/database/distribute.ts';
import { watchPools } from './platform/database/pool-figures.ts';
import { sandboxClock } from './platform/database/sandbox-clock.ts';
import { registerDocs } from './platform/http/docs.ts';
import { createLeaving, type Leaving } from './platform/http/leaving.ts';
import { httpLimits } from './platform/http/limits.ts';
import { listenersFor, listenOptions } from './platform/http/listeners.ts';
import { describeApi } from './platform/http/openapi.ts';
import { createServer } from './platform/http/server.ts';
import { tellRequests } from './platform/http/tell-requests.ts';
import { registerWeb } from './platform/http/web.ts';
import { hearFaults } from './platform/faults.ts';
import { openFaultPoints } from './platform/fault-points.ts';
import { countTasks } from './platform/job-figures.ts';
import { migrateJobs, startJobs } from './platform/jobs.ts';
import type { Log } from './platform/log.ts';
import { createMetrics } from './platform/metrics.ts';
import { ownAddressOf } from './platform/own-address.ts';
import type { Platform } from './platform/platform.ts';
import { giveBackMemory } from './platform/processes/memory.ts';
import type { HowToLeave } from './platform/processes/messages.ts';
import type { Family } from './platform/processes/worker.ts';
import { createSecrets } from './platform/secrets.ts';
import { realClock, secondMs } from './platform/time.ts';
import { openPostbacks, type Postbacks } from './postbacks.ts';
import { registerProviderNews } from './provider-news.ts';
import { keepMoneyApart } from './providers/keep-apart.ts';
import { openProviders, type Money } from './providers/providers.ts';
import { apiRoutes } from './routes.ts';
import { eachMinute, tasksOf } from './schedule.ts';
import { toldInLog } from './platform/database/sql-errors.ts';
import { upgrade } from './upgrade.ts';

export type ServiceOptions = {
  readonly config: Config;
  readonly databaseUrl: string;
  readonly secretKey: Buffer;
  readonly log: Log;
  /** The built dashboards; null where nobody looks at pages. */
  readonly webFolder: string | null;
  /** The other processes of this machine, where there are some. */
  readonly family?: Family;
  /** Beside processes that answer requests: on a port of its own that only this machine reaches. */
  readonly listensApart?: boolean;
};
export type Service = {
  readonly platform: Platform;
  readonly url: string;
  /** First of all, where no request may fail: says that it goes, and takes no more. Then it is stopped. */
  readonly leave: (how: HowToLeave) => Promise<void>;
  readonly stop: () => Promise<void>;
};

const webConnectionsMax = 16;
const nightConnectionsMax = 4;
/** Of the queue, for the schedule's lock, and one for a long look. */
const connectionsBeside = 6;
/** What one process may take of the database's. */
export const connectionsMax = webConnectionsMax + nightConnectionsMax + connectionsBeside;
const clockRefreshMs = secondMs;

/** One of several processes listens on a port of its own, which only this machine reaches. */
const addressOf = ({ listensApart = false }: ServiceOptions, { host, port }: Config) =>
  listensApart ? { host: '127.0.0.1', port: 0, exclusive: true } : { host, port, exclusive: false };

/** Starts components in dependency order, and stops them in the reverse order. */
export async function startService(options: ServiceOptions): Promise<Service> {
  const platform = openPlatform(options);
  const { config, database, log } = platform;
  const leaving = createLeaving();
  const ends: Array<() => Promise<void>> = [() => platform.nightDatabase.end(), () => database.end()];
  const stop = async () => {
    for (const end of ends.splice(0))
      await end().catch((error: unknown) => log.error({ error: toldInLog(error) }, 'a part did not stop in order'));
  };
  try {
    await upgrade(platform);
    database.layout.isDistributed = await isDistributed(database);
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
    const inspector = openPageInspector();
    ends.unshift(inspector.close);
    const door = addressOf(options, config);
    const listeners = await listenersFor(door);
    const app = createServer({
      listeners,
      trustedProxies: config.trustedProxies,
      isHttpsOnly: config.mode === 'live' && config.baseUrl.startsWith('https:'),
      dialects: [contractDialect(postbacks.refusals.count)],
      isTemporary: isDatabaseAway,
      onFault: hearFaults(platform, 'a request failed'),
      leaving,
    });
    tellRequests(app, log);
    const health = registerHealth(app, platform);
    registerRooms(app, { platform, providers, clicks, postbacks, inspector, webFolder: options.webFolder });
    giveBackMemory();
    await app.listen(listenOptions(door, listeners));
    ends.unshift(() => app.close());
    platform.own.url = ownAddressOf({ host: door.host, port: portOf(app, config) }).url;

    if (config.role !== 'web') {
      const jobs = await startJobs({
        url: options.databaseUrl,
        log,
        tasks: countTasks(platform.metrics, tasksOf({ platform, providers })),
        eachMinute,
      });
      ends.unshift(jobs.stop);
    }
    return { platform, url: urlOf(app, config), leave: leaveWith(leaving, health), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

type Rooms = Money & {
  readonly clicks: Clicks;
  readonly postbacks: Postbacks;
  readonly inspector: PageInspector;
  readonly webFolder: string | null;
};

/** What is asked of whom. A process for the jobs is asked for its figures only, and hears what providers tell. */
function registerRooms(app: FastifyInstance, { platform, providers, clicks, postbacks, inspector, webFolder }: Rooms): void {
  const { config } = platform;
  const isForRequests = config.role !== 'jobs';
  const routes = apiRoutes({ ring: clicks.ring, providers, inspector }).filter(({ path }) => isForRequests || path === '/metrics');
  registerProviderNews(app, { platform, providers });
  mount(app, platform, routes, { identify: identifyFor(platform), tooMany: requestLimit(config), storeExists, creatorExists });
  if (!isForRequests) return;
  registerCapture(app);
  clicks.register(app);
  postbacks.register(app);
  registerDocs(app, () =>
    describeApi({ baseUrl: config.baseUrl, sessionCookie: cookieName(config.baseUrl), routes, postbacks: describedPostbacks() }),
  );
  if (webFolder !== null) registerWeb(app, webFolder);
}

/** In this order: whoever sends requests here is told, then has time to send them elsewhere, and then the door is shut. */
const leaveWith =
  (leaving: Leaving, health: Health): Service['leave'] =>
  async ({ isAnnounced, acceptingMs, restingMs }) => {
    if (isAnnounced) health.isGoing = true;
    leaving.begin();
    await pause(acceptingMs);
    await leaving.leave({ resting: restingMs, due: httpLimits.closeMs });
  };

export function openPlatform({ config, databaseUrl, secretKey, log, family }: Omit<ServiceOptions, 'webFolder'>): Platform {
  const onIdleError = (error: Error) => log.warn({ error: error.message }, 'a connection to the database broke');
  const connection = { url: databaseUrl, onIdleError };
  const database = openDatabase({
    ...connection,
    name: 'web',
    connectionsMax: webConnectionsMax,
    timeOuts: webTimeOuts,
    findsByKeys: true,
  });
  const nightDatabase = openDatabase({ ...connection, name: 'night', connectionsMax: nightConnectionsMax, timeOuts: nightTimeOuts });
  const metrics = createMetrics(family ?? null);
  watchPools(metrics, { web: database, night: nightDatabase });
  return {
    config,
    database,
    nightDatabase,
    clock: config.mode === 'sandbox' ? sandboxClock(database) : realClock,
    log,
    metrics,
    secrets: createSecrets(secretKey, config.previousSecretKey),
    own: ownAddressOf(config),
    ...openFaultPoints(config.dieAt),
  };
}

const identifyFor = (platform: Platform): MountOptions['identify'] =>
  rememberOperators(createIdentify(platform), ({ routeOptions }) => routeOptions.url === '/metrics');

type Health = { isGoing: boolean };

/** `healthz`: the process lives. `readyz`: it can serve, and means to go on. */
function registerHealth(app: FastifyInstance, { database }: Platform): Health {
  const health: Health = { isGoing: false };
  app.get('/healthz', async () => ({ ok: true, reason: 'alive' }));
  app.get('/readyz', async (_request, reply) => {
    const message = health.isGoing ? 'This service is stopping.' : (await isReachable(database)) ? null : 'The database does not answer.';
    if (message === null) return { ok: true, reason: 'ready' };
    return reply.status(503).header('retry-after', '1').send({ ok: false, reason: 'temporarily_unavailable', message });
  });
  return health;
}

/** Where it listens in fact: with port 0 the system chose. */
function urlOf(app: FastifyInstance, config: Config): string {
  return config.port === 0 ? `http://127.0.0.1:${portOf(app, config)}` : config.baseUrl;
}

function portOf(app: FastifyInstance, config: Config): number {
  const address = app.addresses()[0];
  return typeof address === 'object' ? address.port : config.port;
}
