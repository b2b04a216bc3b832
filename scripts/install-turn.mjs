import { existsSync, mkdirSync, readFileSync, renameSync, rmdirSync, statSync, unlinkSync, utimesSync, writeFileSync } from 'fs';
import { hostname } from 'os';
import { dirname, join } from 'path';
import { writeLine } from './install-failures.mjs';

const waitMsMax = 20 * 60 * 1000;
const waitPauseMs = 200;
const beatMs = 2 * 1000;
/** A lock that was not touched for this long is stale, on any host. */
const staleMs = 30 * 1000;
const ourselves = `${hostname()} ${process.pid}`;

/**
 * Two concurrent starts would corrupt each other's install, so one works and the other waits. The lock is a folder, because creating a
 * folder is atomic. Its holder touches it regularly; a lock left by a killed start is taken over.
 */
export async function takeTurn(modules, work) {
  const lock = join(modules, '.installing');
  makeFolder(modules);
  const deadline = Date.now() + waitMsMax;
  let hasLogged = false;
  while (!makeLock(lock)) {
    if (Date.now() > deadline)
      throw new Error(`Another start has been installing for ${waitMsMax / 60000} minutes: end it, or remove ${lock}.`);
    if (isStale(lock) && breakLock(lock)) continue;
    if (!hasLogged) process.stderr.write('Another start is installing the packages; waiting for it…\n');
    hasLogged = true;
    await new Promise((resolve) => setTimeout(resolve, waitPauseMs));
  }
  const beat = setInterval(() => touch(lock), beatMs);
  const release = () => {
    clearInterval(beat);
    if (readHolder(lock) === ourselves) remove(lock);
  };
  process.once('exit', release);
  await work();
  release();
}

function makeFolder(path) {
  try {
    mkdirSync(path);
  } catch (error) {
    if (error.code !== 'EEXIST') throw new Error(writeLine(dirname(path), error), { cause: error });
  }
}

function makeLock(lock) {
  try {
    mkdirSync(lock);
    writeFileSync(join(lock, 'holder'), ourselves);
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw new Error(writeLine(dirname(dirname(lock)), error), { cause: error });
  }
}

function isStale(lock) {
  const [host, id] = (readHolder(lock) || '').split(' ');
  if (host === hostname() && !isAlive(Number(id))) return true;
  try {
    return Date.now() - statSync(lock).mtimeMs > staleMs;
  } catch {
    return false;
  }
}

/** Renames the stale lock first: of several processes only one succeeds, and a new holder that came in between gets its lock back. */
function breakLock(lock) {
  const holder = readHolder(lock);
  const aside = `${lock}-${process.pid}-${Date.now()}`;
  try {
    renameSync(lock, aside);
    if (readHolder(aside) === holder && isStale(aside)) remove(aside);
    else renameSync(aside, lock);
    return true;
  } catch {
    // Another process was faster, or the folder belongs to another user: wait for it.
    return false;
  }
}

function isAlive(id) {
  try {
    process.kill(id, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

function readHolder(lock) {
  try {
    return readFileSync(join(lock, 'holder'), 'utf8');
  } catch {
    return null;
  }
}

function remove(lock) {
  if (existsSync(join(lock, 'holder'))) unlinkSync(join(lock, 'holder'));
  rmdirSync(lock);
}

function touch(lock) {
  try {
    utimesSync(lock, new Date(), new Date());
  } catch {
    // Another process took the lock while this machine slept.
  }
}
