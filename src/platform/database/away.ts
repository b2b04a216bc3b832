import { sqlStateOf } from './sql-errors.ts';

/** Whether an error says "the database is away, slow or full just now", so that trying again is right. Anything else is our own mistake. */
export function isDatabaseAway(error: unknown): boolean {
  const sqlState = sqlStateOf(error);
  if (sqlState !== null) return passingStates.has(sqlState) || passingClasses.has(sqlState.slice(0, 2));
  if (!(error instanceof Error)) return false;
  if ('code' in error && typeof error.code === 'string' && connectionCodes.has(error.code)) return true;
  // The driver's own time-outs and broken connections carry no code.
  return driverWords.some((words) => error.message.includes(words));
}

/** Connection exceptions, exhausted resources, an operator's intervention (restart, statement time-out). */
const passingClasses: ReadonlySet<string> = new Set(['08', '53', '57']);
/** Lock not available, deadlock, serialization, read-only (a standby after a failover), idle in transaction, transaction time-out. */
const passingStates: ReadonlySet<string> = new Set(['55P03', '40P01', '40001', '25006', '25P03', '25P04']);
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
const driverWords = [
  'Connection terminated',
  'Query read timeout',
  'timeout exceeded when trying to connect',
  'not queryable',
  'Client was closed',
];
