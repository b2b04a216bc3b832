/**
 * What a failed transaction says about running it again, judged by SQLSTATE alone: never by a message, which is
 * translated, and never by a constraint's name, which a migration may change.
 */
export type FailureKind = 'guilty item' | 'again' | 'row taken' | 'connection lost' | 'unavailable';

export function kindOfFailure(error: unknown): FailureKind {
  if (isConnectionLost(error)) return 'connection lost';
  const sqlState = sqlStateOf(error);
  if (sqlState === null) return 'unavailable';
  if (sqlState === lockNotAvailable) return 'row taken';
  if (sqlState === deadlockDetected || sqlState === serializationFailure) return 'again';
  return guiltyClasses.has(sqlState.slice(0, 2)) ? 'guilty item' : 'unavailable';
}

const lockNotAvailable = '55P03';
const deadlockDetected = '40P01';
const serializationFailure = '40001';
/** Cardinality, data and integrity: one row's values are at fault, while the server and all other rows are well. */
const guiltyClasses: ReadonlySet<string> = new Set(['21', '22', '23']);

/**
 * The server is gone or going, restarting, or a standby since a failover: what was not committed can be asked of the next
 * connection. A server that is slow is none of it: asking again would make it slower.
 */
export function isConnectionLost(error: unknown): boolean {
  const sqlState = sqlStateOf(error);
  if (sqlState !== null) return sqlState.startsWith('08') || lostStates.has(sqlState);
  if (!(error instanceof Error) || error.message.includes('timeout')) return false;
  if ('code' in error && typeof error.code === 'string') return lostCodes.has(error.code);
  return lostWords.some((words) => error.message.includes(words));
}

/** Shut down, crashed, not yet up, and read-only. */
const lostStates: ReadonlySet<string> = new Set(['57P01', '57P02', '57P03', '25006']);
const lostCodes: ReadonlySet<string> = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ENOENT']);
/** The driver's own, which carry no code. */
const lostWords = ['Connection terminated', 'not queryable'];

/** Its disk is full, or it has all the connections that it may have: nobody's work can be done, and none is at fault. */
export const hasNoRoom = (error: unknown): boolean => roomStates.has(sqlStateOf(error) ?? '');
const roomStates: ReadonlySet<string> = new Set(['53100', '53300']);

/** Null for what the server did not say: a lost connection, a time-out of the client, a mistake in our own code. */
export function sqlStateOf(error: unknown): string | null {
  if (typeof error !== 'object' || error === null || !('code' in error)) return null;
  // Node's own codes (ECONNRESET, EPIPE) stand in the same field: those of five letters begin with E, which no SQLSTATE does.
  return typeof error.code === 'string' && /^[0-9A-DF-Z][0-9A-Z]{4}$/.test(error.code) ? error.code : null;
}

/** An error for the log. The server quotes values in its messages, which may be somebody's: only its state is told. */
export function toldInLog(error: unknown): string {
  const sqlState = sqlStateOf(error);
  if (sqlState !== null) return `SQLSTATE ${sqlState}`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
