import { hasNoRoom, isConnectionLost, toldInLog } from './database/sql-errors.ts';
import type { Log } from './log.ts';

/** The jobs page and the mail name the first ones; the log names all. */
const namedMax = 5;

export type TenantFailures = {
  /** Runs the work of one store or creator. What fails is logged and counted, and keeps nothing from the others. */
  readonly run: (tenant: string, work: () => Promise<unknown>) => Promise<void>;
  /** Fails the job with the names of those whose work failed, so that it shows on the jobs page, in the metrics, and in the operators' mail. */
  readonly raise: () => void;
};

/**
 * For a job that works through many stores or creators. A lost connection or a full disk is no tenant's error: it ends the job at once,
 * and the job stays due.
 */
export function tenantFailures(log: Log, message: string): TenantFailures {
  const failed = new Set<string>();
  return {
    async run(tenant, work) {
      try {
        await work();
      } catch (error) {
        if (isConnectionLost(error) || hasNoRoom(error)) throw error;
        failed.add(tenant);
        log.error({ tenant, error: toldInLog(error) }, message);
      }
    },
    raise() {
      if (failed.size > 0) throw failureOf(message, [...failed]);
    },
  };
}

/** Names those whose work failed. It has no stack: where it was thrown says nothing, and operators read it. */
export class TenantError extends Error {
  readonly tenants: readonly string[];

  constructor(message: string, tenants: readonly string[]) {
    super(message);
    this.tenants = tenants;
    this.stack = message;
  }
}

export function failureOf(message: string, tenants: readonly string[]): TenantError {
  const more = tenants.length > namedMax ? ` and ${tenants.length - namedMax} more` : '';
  const named = `${tenants.slice(0, namedMax).join(', ')}${more}`;
  return new TenantError(`${message}: ${named}. The others are done, and what is left is due again at the next run`, tenants);
}
