/**
 * Whether a failed transaction can be retried, judged by SQLSTATE alone: messages are translated, and a migration may rename
 * constraints.
 */
export type FailureKind = 'guilty item' | 'again' | 'row taken' | 'connection lost' | 'unavailable';

export function classifyFailure(error: unknown): FailureKind {
  if (isConnectionLost(error)) return 'connection lost';
  const sqlState = sqlStateOf(error);
  if (sqlState === null) return 'unavailable';
  if (sqlState === lockNotAvailable) return 'row taken';
  if (sqlState === deadlockDetected || sqlState === serializationFailure) return 'again';
  return invalidItemClasses.has(sqlState.slice(0, 2)) ? 'guilty item' : 'unavailable';
}

const lockNotAvailable = '55P03';
const deadlockDetected = '40P01';
const serializationFailure = '40001';
/** Cardinality, data and integrity errors: the values of one row are invalid, while the server and all other rows are fine. */
const invalidItemClasses: ReadonlySet<string> = new Set(['21', '22', '23']);

/**
 * The server has shut down, is restarting, or has become a standby: uncommitted work can be retried on a new connection. A slow
 * server does not count, because a retry would make it slower.
 */
export function isConnectionLost(error: unknown): boolean {
  const sqlState = sqlStateOf(error);
  if (sqlState !== null) return sqlState.startsWith('08') || lostStates.has(sqlState);
  if (!(error instanceof Error) || isClientTimeout(error)) return false;
  if ('code' in error && typeof error.code === 'string') return lostCodes.has(error.code);
  return lostMessages.some((words) => error.message.includes(words));
}

/** The server did not accept a connection, or did not answer, in the time that the client waits. */
export const isClientTimeout = (error: unknown): boolean =>
  sqlStateOf(error) === null && error instanceof Error && error.message.includes('timeout');

/** Shut down, crashed, starting up, and read-only. */
const lostStates: ReadonlySet<string> = new Set(['57P01', '57P02', '57P03', '25006']);
const lostCodes: ReadonlySet<string> = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ENOENT']);
/** The driver's own errors, which have no code. */
const lostMessages = ['Connection terminated', 'not queryable'];

/** The disk is full or the connection limit is reached: every query fails, whatever its values. */
export const isServerFull = (error: unknown): boolean => serverFullStates.has(sqlStateOf(error) ?? '');
const serverFullStates: ReadonlySet<string> = new Set(['53100', '53300']);

/** Null for errors that are not from the server: a lost connection, a client timeout, a bug in our own code. */
export function sqlStateOf(error: unknown): string | null {
  if (typeof error !== 'object' || error === null || !('code' in error)) return null;
  // Node's own codes (ECONNRESET, EPIPE) use the same property: those of five characters begin with E, which no SQLSTATE does.
  return typeof error.code === 'string' && /^[0-9A-DF-Z][0-9A-Z]{4}$/.test(error.code) ? error.code : null;
}

/** Formats an error for the log. PostgreSQL's messages quote values, which may be personal data, so only the SQLSTATE is logged. */
export function errorForLog(error: unknown): string {
  const sqlState = sqlStateOf(error);
  if (sqlState !== null) return `SQLSTATE ${sqlState}`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
