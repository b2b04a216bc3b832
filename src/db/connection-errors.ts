import { sqlStateOf } from './sql-errors.ts';

/**
 * Whether an error means that the database is unreachable, slow or full, so that a retry makes sense. Any other error is a bug of
 * ours.
 */
export function isDatabaseAway(error: unknown): boolean {
  const sqlState = sqlStateOf(error);
  if (sqlState !== null) {
    return transientStates.has(sqlState) || transientClasses.has(sqlState.slice(0, 2)) || isEndOfServer(sqlState, error);
  }
  if (!(error instanceof Error)) return false;
  if ('code' in error && typeof error.code === 'string' && connectionCodes.has(error.code)) return true;
  // Timeouts, broken connections, and a full queue (`take-connection.ts`) have no code.
  return codelessMessages.some((words) => error.message.includes(words));
}

/** Citus reports that its own server was killed as an internal error. */
const isEndOfServer = (sqlState: string, error: unknown): boolean =>
  sqlState === 'XX000' && error instanceof Error && error.message.includes('postmaster was shut down');

/** Connection exceptions, insufficient resources, operator intervention (restart, statement timeout). */
const transientClasses: ReadonlySet<string> = new Set(['08', '53', '57']);
/** Lock not available, deadlock, serialization, read-only (a standby after a failover), idle in transaction, transaction timeout. */
const transientStates: ReadonlySet<string> = new Set(['55P03', '40P01', '40001', '25006', '25P03', '25P04']);
const connectionCodes: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOENT',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
]);
const codelessMessages = [
  'Connection terminated',
  'Query read timeout',
  'timeout exceeded when trying to connect',
  'too many requests wait for a database connection',
  'not queryable',
  'Client was closed',
];
