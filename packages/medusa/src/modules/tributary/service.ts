import type { Logger } from '@medusajs/framework/types';
import { ContainerRegistrationKeys, MedusaService } from '@medusajs/framework/utils';
import { createConnection, messageOf, type Connection, type ConnectionOptions, type Sql } from '@tributary/node/plugin-connection';
import { createReportQueue } from '@tributary/node/plugin-reports';
import type { Queue } from '@tributary/node/queue';
import { TributaryConnection } from './models/connection.ts';
import { TributaryReport } from './models/report.ts';

/** The options of the plugin in `medusa-config`. */
export type TributaryOptions = ConnectionOptions & {
  /** Creates a promotion with this discount for each discount code of a creator that has none. */
  readonly codeDiscount?: { readonly type: 'percentage' | 'fixed'; readonly value: number };
  /** Reports orders without a click and a code too, for programs that count returning customers. */
  readonly everyOrder?: boolean;
};

type Knex = { raw(text: string, values: readonly unknown[]): Promise<{ readonly rows: readonly Record<string, unknown>[] }> };
type Dependencies = {
  readonly logger: Logger;
  readonly [ContainerRegistrationKeys.PG_CONNECTION]: Knex;
  readonly [ContainerRegistrationKeys.CONFIG_MODULE]: { readonly projectConfig: { readonly workerMode?: string } };
};

const codesAgeMsMax = 60_000;

/** The queue of reports, and the connection to the store at the service. */
export class TributaryModuleService extends MedusaService({ TributaryReport, TributaryConnection }) {
  readonly options: TributaryOptions;
  readonly sql: Sql;
  readonly connection: Connection;
  readonly queue: Queue;
  readonly __hooks: { readonly onApplicationStart: () => Promise<void>; readonly onApplicationShutdown: () => Promise<void> };
  #codesAt = 0;

  constructor(dependencies: Dependencies, options: TributaryOptions = {}) {
    super(...arguments);
    const { logger } = dependencies;
    const knex = dependencies[ContainerRegistrationKeys.PG_CONNECTION];
    // Only processes that handle events send reports; the others add them.
    const isWorker = dependencies[ContainerRegistrationKeys.CONFIG_MODULE].projectConfig.workerMode !== 'server';
    this.options = options;
    this.sql = async (text, values) => (await knex.raw(text, values)).rows;
    this.connection = createConnection(this.sql, options);
    this.queue = createReportQueue(this.sql, this.connection, (error) => logger.error(`Tributary: ${messageOf(error)}`));
    this.__hooks = {
      onApplicationStart: async () => {
        const problem = this.connection.problem();
        if (problem !== null) logger.warn(`Tributary: ${problem}`);
        if (isWorker) this.queue.start();
      },
      onApplicationShutdown: () => this.queue.stop(),
    };
  }

  areCodesOld(): boolean {
    return Date.now() - this.#codesAt > codesAgeMsMax;
  }

  noteCodes(): void {
    this.#codesAt = Date.now();
  }
}
