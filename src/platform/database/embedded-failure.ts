import { userInfo } from 'node:os';

/** Why the embedded database cannot be had: a message of one line, for the person who typed `npm start`. */
export function cannotStart(line: string, cause?: unknown): Error {
  return new Error(line, { cause });
}

/** The one line for a file or folder that the system would not let us make, read or change. */
export function explainFileError(error: unknown, path: string): Error {
  const code = codeOf(error);
  if (code === 'ENOSPC' || code === 'EDQUOT') return cannotStart(diskIsFull(path), error);
  if (code === 'EROFS') return cannotStart(`The folder ${path} is read-only: choose a data folder that can be written.`, error);
  if (code === 'EACCES' || code === 'EPERM') {
    return cannotStart(`The user ${ownName()} may not write in ${path}: make it theirs (chown), or choose another data folder.`, error);
  }
  return cannotStart(`${path} cannot be used for the database: ${messageOf(error)}.`, error);
}

/** The one line for what PostgreSQL wrote before it gave up. Its messages are in English, because it runs with the locale C. */
export function explainServerWords(words: readonly string[], path: string): Error {
  const all = words.join('\n');
  const decisive = words.findLast((word) => /(FATAL|PANIC|ERROR|error): /i.test(word)) ?? words.at(-1) ?? 'it said nothing';
  if (/No space left on device|Disk quota exceeded/i.test(all)) return cannotStart(diskIsFull(path), all);
  if (/Cannot allocate memory|could not (map|create|resize).*shared memory/i.test(all)) {
    return cannotStart(`PostgreSQL did not get the memory it needs (about 200 MB): ${decisive.trim()}`, all);
  }
  if (/GLIBC|error while loading shared libraries|symbol not found/i.test(all)) return cannotStart(foreignSystem(decisive.trim()), all);
  return cannotStart(`PostgreSQL did not start in ${path}: ${decisive.trim()}`, all);
}

/** The one line for a program of PostgreSQL that the system would not even begin. */
export function explainSpawnError(error: unknown, program: string): Error {
  const code = codeOf(error);
  if (code === 'EPERM')
    return cannotStart('This root may not become another user, which PostgreSQL needs: start as an ordinary user.', error);
  if (code === 'ENOENT' || code === 'ENOEXEC') return cannotStart(foreignSystem(`${program} does not begin`), error);
  if (code === 'EACCES') return cannotStart(`${program} may not be run from there: is the disk mounted with "noexec"?`, error);
  return cannotStart(`${program} cannot be run: ${messageOf(error)}.`, error);
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** The system's own word for a failure, such as ENOSPC; null for every other error. */
export function codeOf(error: unknown): string | null {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  return typeof code === 'string' && /^E[A-Z0-9]+$/.test(code) ? code : null;
}

/** Some containers run under a number that has no name. */
export function ownName(): string {
  try {
    return userInfo().username;
  } catch {
    return `with number ${process.getuid?.()}`;
  }
}

const diskIsFull = (path: string): string => `The disk is full: nothing more can be written in ${path}. Free some space, then start again.`;

const foreignSystem = (detail: string): string =>
  `The PostgreSQL from npm does not run on this system (${detail}): it needs Linux with glibc, or macOS. Name a server of your own in DATABASE_URL.`;
