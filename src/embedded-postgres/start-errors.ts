import { userInfo } from 'node:os';

/** Why the embedded database cannot be used: a one-line message for the person who ran `npm start`. */
export function cannotStart(line: string, cause?: unknown): Error {
  return new Error(line, { cause });
}

/** The message for a file or folder that could not be created, read or changed. */
export function explainFileError(error: unknown, path: string): Error {
  const code = codeOf(error);
  if (code === 'ENOSPC' || code === 'EDQUOT') return cannotStart(diskIsFull(path), error);
  if (code === 'EROFS') return cannotStart(`The folder ${path} is read-only: choose a data folder that can be written.`, error);
  if (code === 'EACCES' || code === 'EPERM') {
    return cannotStart(`The user ${ownName()} may not write to ${path}: change its owner (chown), or choose another data folder.`, error);
  }
  return cannotStart(`${path} cannot be used for the database: ${messageOf(error)}.`, error);
}

/** The message for what PostgreSQL printed before it exited. Its messages are in English, because it runs with the C locale. */
export function explainServerOutput(outputLines: readonly string[], path: string): Error {
  const all = outputLines.join('\n');
  const decisive = outputLines.findLast((line) => /(FATAL|PANIC|ERROR|error): /i.test(line)) ?? outputLines.at(-1) ?? 'no output';
  if (/No space left on device|Disk quota exceeded/i.test(all)) return cannotStart(diskIsFull(path), all);
  if (/Cannot allocate memory|could not (map|create|resize).*shared memory/i.test(all)) {
    return cannotStart(`PostgreSQL could not allocate the memory it needs (about 200 MB): ${decisive.trim()}`, all);
  }
  if (/GLIBC|error while loading shared libraries|symbol not found/i.test(all)) return cannotStart(foreignSystem(decisive.trim()), all);
  return cannotStart(`PostgreSQL did not start in ${path}: ${decisive.trim()}`, all);
}

/** The message for a PostgreSQL program that could not be spawned. */
export function explainSpawnError(error: unknown, program: string): Error {
  const code = codeOf(error);
  if (code === 'EPERM')
    return cannotStart('This root user may not change its user ID, which PostgreSQL needs: start as an ordinary user.', error);
  if (code === 'ENOENT' || code === 'ENOEXEC') return cannotStart(foreignSystem(`${program} does not start`), error);
  if (code === 'EACCES') return cannotStart(`${program} may not be run from there: is the disk mounted with "noexec"?`, error);
  return cannotStart(`${program} cannot be run: ${messageOf(error)}.`, error);
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** The system's error code, such as ENOSPC; null for every other error. */
export function codeOf(error: unknown): string | null {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  return typeof code === 'string' && /^E[A-Z0-9]+$/.test(code) ? code : null;
}

/** Some containers run under a user ID without a name. */
export function ownName(): string {
  try {
    return userInfo().username;
  } catch {
    return `with ID ${process.getuid?.()}`;
  }
}

const diskIsFull = (path: string): string => `The disk is full: nothing can be written to ${path}. Free some space, then start again.`;

const foreignSystem = (detail: string): string =>
  `The PostgreSQL from npm does not run on this system (${detail}): it needs Linux with glibc, or macOS. Set DATABASE_URL to an external server.`;
