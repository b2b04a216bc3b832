import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { openPageInspector, type PageInspector } from '../capture/page-inspector.ts';
import { registerCapture } from '../capture/serve.ts';
import { openClicks, type Clicks } from '../clicks/clicks.ts';
import { describePostbacks } from '../contract/postback-operations.ts';
import { contractDialect } from '../contract/reply.ts';
import { creatorExists } from '../creators/creators-sql.ts';
import { storeExists } from '../merchants/stores-sql.ts';
import { registerUnsubscribe } from '../outreach/unsubscribe.ts';
import { sessionCookieName } from '../people/cookie.ts';
import { createIdentify } from '../people/identify.ts';
import { mountApi, type PipelineOptions } from '../people/request-pipeline.ts';
import { cacheOperatorIdentity } from '../people/cache-operator-identity.ts';
import { createRequestLimiter } from '../people/request-limits.ts';
import type { Config } from '../core/config.ts';
import { isDatabaseAway } from '../db/connection-errors.ts';
import { jobTimeouts, openDatabase, ping, webTimeouts } from '../db/database.ts';
import { openTenantDatabases } from '../db/tenant-database.ts';
import { nodeUrl } from '../core/database-hosts.ts';
import { registerPoolMetrics } from '../metrics/pool-metrics.ts';
import { sandboxClock } from '../db/sandbox-clock.ts';
import { registerDocs } from '../http/api-docs.ts';
import { createShutdown, type Shutdown } from '../http/shutdown.ts';
import { httpLimits } from '../http/limits.ts';
import { chooseListenerCount, listenOptions } from '../http/listeners.ts';
import { describeApi } from '../http/openapi.ts';
import { createServer } from '../http/server.ts';
import { logRequests } from '../http/request-log.ts';
import { registerDashboards } from '../http/dashboards.ts';
import { reportErrors } from '../runtime/report-error.ts';
import { createCrashPoints } from '../core/crash-points.ts';
import { countTasks } from '../queue/job-metrics.ts';
import { openQueue } from '../queue/jobs.ts';
import type { Log } from '../core/log.ts';
import { createMetrics } from '../metrics/metrics.ts';
import { ownAddressOf } from '../http/own-address.ts';
import type { Platform } from '../runtime/platform.ts';
import { releaseMemoryWhenIdle } from '../processes/release-memory.ts';
import type { ShutdownOptions } from '../processes/messages.ts';
import type { SupervisorClient } from '../processes/worker-process.ts';
import { createSecrets } from '../core/secrets.ts';
import { realClock, secondMs } from '../core/time.ts';
import { openPostbacks, type Postbacks } from './postback-routes.ts';
import { registerPaymentWebhooks } from './payment-webhooks.ts';
import { refuseMixedMoney } from '../payments/separate-real-money.ts';
import { registerProgramPages } from '../program-page/serve.ts';
import { openProviders, type Money } from '../payments/providers.ts';
import { apiRoutes } from './routes/routes.ts';
import { eachMinute, tasksOf } from './schedule.ts';
import { errorForLog } from '../db/sql-errors.ts';
import { registerShopifyClicks } from '../shopify-orders/receive-clicks.ts';
import { registerShopifyWebhooks } from '../shopify-orders/receive-webhooks.ts';
import { registerStripeEvents } from '../stripe-orders/receive-events.ts';
import { upgrade } from './upgrade.ts';
import { apiMessage } from '../messages/api-message.ts';

export type ServiceOptions = {
  readonly config: Config;
  readonly databaseUrl: string;
  readonly secretKey: Buffer;
  readonly log: Log;
  /** The built dashboards; null if this process serves none. */
  readonly dashboardsFolder: string | null;
  /** The other processes of this machine, where there are some. */
  readonly workers?: SupervisorClient;
  /** Whether it runs beside processes that answer requests, and listens on a separate port that only this machine can reach. */
  readonly hasOwnPort?: boolean;
  /** Receives a line about each step that takes time only once, such as the first migrations. */
  readonly onProgress?: (line: string) => void;
};
export type Service = {
  readonly platform: Platform;
  readonly url: string;
  /** Announces the shutdown and accepts no new requests. Called before `stop` if no request may fail. */
  readonly drain: (how: ShutdownOptions) => Promise<void>;
  readonly stop: () => Promise<void>;
};

const webConnectionsMax = 16;
/** Connections to each node of a cluster: one for each lane of its batches. */
const nodeConnectionsMax = 15;
const jobsConnectionsMax = 4;
/** Connections of the queue, of the schedule's lock, and of one long query. */
const otherConnectionsMax = 6;
/** The database connections that one process may use. */
export const connectionsMax = webConnectionsMax + jobsConnectionsMax + otherConnectionsMax;
const clockRefreshMs = secondMs;

/** One of several processes listens on a separate port that only this machine can reach. */
const listenAddressOf = ({ hasOwnPort = false }: ServiceOptions, { host, port }: Config) =>
  hasOwnPort ? { host: '127.0.0.1', port: 0, exclusive: true } : { host, port, exclusive: false };

/** Starts components in dependency order, and stops them in the reverse order. */
export async function startService(options: ServiceOptions): Promise<Service> {
  const platform = openPlatform(options);
  const { config, database, log } = platform;
  const shutdown = createShutdown();
  const ends: Array<() => Promise<void>> = [() => platform.jobsDatabase.end(), () => platform.tenants.end(), () => database.end()];
  const stop = async () => {
    for (const end of ends.splice(0))
      await end().catch((error: unknown) => log.error({ error: errorForLog(error) }, 'a part did not stop in order'));
  };
  try {
    const applied = await upgrade(platform);
    if (applied.length > 0) options.onProgress?.(`Schema: applied ${applied.length} migrations`);
    await platform.tenants.start();
    await refuseMixedMoney(platform);
    const queue = openQueue(options.databaseUrl, log);
    ends.unshift(queue.close);
    await queue.migrate();
    await platform.clock.refresh();
    const clockTimer = setInterval(() => void platform.clock.refresh().catch(() => {}), clockRefreshMs);
    ends.unshift(async () => clearInterval(clockTimer));

    const providers = openProviders(platform);
    const clicks = await openClicks(platform);
    ends.unshift(clicks.close);
    const postbacks = openPostbacks({ platform, providers }, clicks.ring);
    ends.unshift(postbacks.close);
    const inspector = openPageInspector();
    ends.unshift(inspector.close);
    const address = listenAddressOf(options, config);
    const listeners = await chooseListenerCount(address);
    const app = createServer({
      listeners,
      trustedProxies: config.trustedProxies,
      isHttpsOnly: config.mode === 'live' && config.baseUrl.startsWith('https:'),
      problemFormats: [contractDialect(postbacks.unauthenticated.count)],
      isTemporary: isDatabaseAway,
      onError: reportErrors(platform, 'a request failed'),
      shutdown,
    });
    logRequests(app, log);
    const health = registerHealth(app, platform);
    registerRoutes(app, { platform, providers, clicks, postbacks, inspector, dashboardsFolder: options.dashboardsFolder });
    await app.listen(listenOptions(address, listeners));
    ends.unshift(() => app.close());
    platform.own.url = ownAddressOf({ host: address.host, port: portOf(app, config) }).url;

    if (config.role !== 'web') {
      const jobs = await queue.startJobs({
        tasks: countTasks(platform.metrics, tasksOf({ platform, providers, answer: postbacks.answer })),
        eachMinute,
      });
      ends.unshift(jobs.stop);
    }
    ends.unshift(releaseMemoryWhenIdle());
    return { platform, url: urlOf(app, config), drain: drainWith(shutdown, health), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

type RouteDependencies = Money & {
  readonly clicks: Clicks;
  readonly postbacks: Postbacks;
  readonly inspector: PageInspector;
  readonly dashboardsFolder: string | null;
};

/** A process for jobs serves only its metrics and the webhooks of payment providers. */
function registerRoutes(
  app: FastifyInstance,
  { platform, providers, clicks, postbacks, inspector, dashboardsFolder }: RouteDependencies,
): void {
  const { config } = platform;
  const isForRequests = config.role !== 'jobs';
  const routes = apiRoutes({ ring: clicks.ring, providers, inspector }).filter(({ path }) => isForRequests || path === '/metrics');
  registerPaymentWebhooks(app, { platform, providers });
  const limitRequests = createRequestLimiter(config);
  mountApi(app, platform, routes, {
    identify: createCachedIdentify(platform),
    limitRequests,
    storeExists,
    creatorExists,
  });
  if (!isForRequests) return;
  registerCapture(app);
  clicks.register(app);
  registerUnsubscribe(app, platform);
  registerProgramPages(app, platform, limitRequests);
  postbacks.register(app);
  registerStripeEvents(app, platform);
  registerShopifyWebhooks(app, platform);
  registerShopifyClicks(app, platform);
  registerDocs(app, () =>
    describeApi({ baseUrl: config.baseUrl, sessionCookie: sessionCookieName(config.baseUrl), routes, postbacks: describePostbacks() }),
  );
  if (dashboardsFolder !== null) registerDashboards(app, dashboardsFolder, config.mode);
}

/** First fails the readiness check, then waits until load balancers send requests elsewhere, then stops accepting connections. */
const drainWith =
  (shutdown: Shutdown, health: Health): Service['drain'] =>
  async ({ isAnnounced, acceptingMs, restingMs }) => {
    if (isAnnounced) health.isGoing = true;
    shutdown.begin();
    await pause(acceptingMs);
    await shutdown.drain({ resting: restingMs, due: httpLimits.closeMs });
  };

export function openPlatform({ config, databaseUrl, secretKey, log, workers }: Omit<ServiceOptions, 'dashboardsFolder'>): Platform {
  const onIdleError = (error: Error) => log.warn({ error: error.message }, 'a connection to the database broke');
  const connection = { url: databaseUrl, onIdleError };
  const webOptions = { name: 'web', connectionsMax: webConnectionsMax, timeouts: webTimeouts, preferIndexes: true, onIdleError };
  const database = openDatabase({ ...webOptions, url: databaseUrl });
  const tenants = openTenantDatabases({
    home: database,
    openNode: (address) => openDatabase({ ...webOptions, url: nodeUrl(databaseUrl, address), connectionsMax: nodeConnectionsMax }),
    onWarning: (facts, message) => log.warn(facts, message),
  });
  const jobsDatabase = openDatabase({ ...connection, name: 'night', connectionsMax: jobsConnectionsMax, timeouts: jobTimeouts });
  const metrics = createMetrics(workers ?? null);
  registerPoolMetrics(metrics, () => new Map([['web', database], ['night', jobsDatabase], ...tenants.pools()]));
  return {
    config,
    database,
    tenants,
    jobsDatabase,
    clock: config.mode === 'sandbox' ? sandboxClock(database) : realClock,
    log,
    metrics,
    secrets: createSecrets(secretKey, config.previousSecretKey),
    own: ownAddressOf(config),
    ...createCrashPoints(config.dieAt),
  };
}

const createCachedIdentify = (platform: Platform): PipelineOptions['identify'] =>
  cacheOperatorIdentity(createIdentify(platform), ({ routeOptions }) => routeOptions.url === '/metrics');

type Health = { isGoing: boolean };

/** `healthz`: the process runs. `readyz`: it can serve requests and is not shutting down. */
function registerHealth(app: FastifyInstance, { tenants }: Platform): Health {
  const health: Health = { isGoing: false };
  const isAnswering = (): Promise<boolean> =>
    tenants.readAnywhere(ping).then(
      () => true,
      () => false,
    );
  app.get('/healthz', async () => ({ ok: true, reason: 'alive' }));
  app.get('/readyz', async (_request, reply) => {
    const message = health.isGoing
      ? apiMessage('app_server.service_stopping')
      : (await isAnswering())
        ? null
        : apiMessage('app_server.database_does_not_answer');
    if (message === null) return { ok: true, reason: 'ready' };
    return reply.status(503).header('retry-after', '1').send({ ok: false, reason: 'temporarily_unavailable', message });
  });
  return health;
}

/** The actual address: the system chooses the port if port 0 is configured. */
function urlOf(app: FastifyInstance, config: Config): string {
  return config.port === 0 ? `http://127.0.0.1:${portOf(app, config)}` : config.baseUrl;
}

function portOf(app: FastifyInstance, config: Config): number {
  const address = app.addresses()[0];
  return typeof address === 'object' ? address.port : config.port;
}
