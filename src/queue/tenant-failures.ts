import { isServerFull, isConnectionLost, errorForLog } from '../db/sql-errors.ts';
import type { Log } from '../core/log.ts';

/** The jobs page and the mail name the first ones; the log names all. */
const namedMax = 5;

export type TenantFailures = {
  /** Runs the work of one store or creator. What fails is logged and counted, and keeps nothing from the others. */
  readonly run: (tenant: string, work: () => Promise<unknown>) => Promise<void>;
  /** Fails the job with the names of those whose work failed: the jobs page, the metrics, and the operators' mail show it. */
  readonly raise: () => void;
  /** Public IDs of the tenants whose work failed. */
  readonly failed: () => ReadonlySet<string>;
};

/**
 * For a job that works through many stores or creators. A lost connection or a full disk is no tenant's error: it ends the job at once,
 * and the job stays due.
 */
export function tenantFailures(log: Log, message: string): TenantFailures {
  const failed = new Map<string, unknown>();
  return {
    async run(tenant, work) {
      try {
        await work();
      } catch (error) {
        if (isConnectionLost(error) || isServerFull(error)) throw error;
        if (!failed.has(tenant)) failed.set(tenant, error);
        log.error({ tenant, error: errorForLog(error) }, message);
      }
    },
    raise() {
      if (failed.size > 0) throw failureOf(message, [...failed.keys()], failed.values().next().value);
    },
    failed: () => new Set(failed.keys()),
  };
}

/** Names those whose work failed. It has no stack: where it was thrown says nothing, and operators read it. */
export class TenantError extends Error {
  readonly tenants: readonly string[];
  /** The first error, in one line. */
  readonly why: string;

  constructor(message: string, { tenants, why, cause }: { tenants: readonly string[]; why: string; cause: unknown }) {
    super(message, { cause });
    this.tenants = tenants;
    this.why = why;
    this.stack = message;
  }
}

export function failureOf(message: string, tenants: readonly string[], first: unknown): TenantError {
  const more = tenants.length > namedMax ? ` and ${tenants.length - namedMax} more` : '';
  const named = `${tenants.slice(0, namedMax).join(', ')}${more}`;
  const why = first instanceof TenantError ? first.why : (errorForLog(first).split('\n')[0] ?? '');
  const text = `${message}: ${named} (${why}). The others are done, and what is left is due again at the next run`;
  return new TenantError(text, { tenants, why, cause: first });
}
