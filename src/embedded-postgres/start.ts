import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { prepareBinaries } from './binaries.ts';
import { databaseName, ensureCluster, hasCluster, type Cluster } from './cluster.ts';
import { codeOf, explainFileError, messageOf } from './start-errors.ts';
import { isLocked, lockFolder, type FolderLock } from './folder-lock.ts';
import {
  chooseLocation,
  makeSocketFolder,
  prepareDataDir,
  removeDatabase,
  removeSocketFolder,
  socketPath,
  socketPort,
} from './location.ts';
import { killAll, stopOrphans } from './processes.ts';
import { launchServer, type Launch, type Server } from './server.ts';

export type EmbeddedDatabase = {
  /** A connection string for `pg`. It stays the same when PostgreSQL is restarted. */
  readonly url: string;
  readonly stop: () => Promise<void>;
  /** The current process ID; changes when PostgreSQL is restarted. */
  readonly postmasterPid: number;
};

export type EmbeddedOptions = {
  readonly dataDir: string;
  readonly log: (line: string) => void;
  /** Receives a line when a new database is created. */
  readonly onProgress?: (line: string) => void;
  /** False only for data that may be lost, as in tests: PostgreSQL then does not wait for the disk, and autovacuum is off. */
  readonly isDurable?: boolean;
  readonly connectionsMax?: number;
};

/** Starts PostgreSQL in the data folder and restarts it until `stop`. Throws an Error with a one-line message for the operator. */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  const dataDir = prepareDataDir(options.dataDir);
  const lock = await lockFolder(dataDir);
  try {
    return await startLocked(dataDir, lock, options);
  } catch (error) {
    lock.release();
    throw codeOf(error) === null ? error : explainFileError(error, dataDir);
  }
}

/** How long to wait for a service that is just starting. */
const findMs = 10_000;
const findPauseMs = 50;

/** The connection to the database that another process runs in this data folder; null if there is none. */
export async function findEmbedded(dataDir: string): Promise<{ readonly url: string } | null> {
  const deadline = performance.now() + findMs;
  while (performance.now() < deadline) {
    const connection = readConnection(dataDir);
    // Without the lock no Tributary process runs, although its PostgreSQL may have survived it: the next start stops that one.
    if (connection === null && !isLocked(dataDir)) return null;
    if (connection !== null && (await answers(connection.socketFolder)) && isLocked(dataDir)) return { url: connection.url };
    if (!isLocked(dataDir)) return null;
    await sleep(findPauseMs);
  }
  return null;
}

/** Removes the database of a data folder, also if the folder is a symlink to it. Fails while it is in use. */
export async function removeEmbedded(path: string): Promise<void> {
  const dataDir = prepareDataDir(path);
  const lock = await lockFolder(dataDir);
  try {
    const location = chooseLocation(dataDir, () => {});
    await killAll(location.folder);
    removeConnection(dataDir);
    removeDatabase(location);
  } finally {
    lock.release();
  }
}

async function startLocked(
  dataDir: string,
  lock: FolderLock,
  { log, onProgress, isDurable = true, connectionsMax = 100 }: EmbeddedOptions,
): Promise<EmbeddedDatabase> {
  const location = chooseLocation(dataDir, log);
  await stopOrphans(location.folder, log);
  removeConnection(dataDir);
  const binaries = prepareBinaries(location);
  if (!hasCluster(location)) onProgress?.(`Database: creating it in ${location.folder}`);
  const cluster = await ensureCluster(location, binaries);
  const launch = { location, binaries, cluster, socketFolder: makeSocketFolder(location), isDurable, connectionsMax, log };
  const url = connectionUrl(cluster, launch.socketFolder);
  writeConnection(dataDir, { url, socketFolder: launch.socketFolder });
  const kept = await keepRunning(launch);
  let stopped: Promise<void> | undefined;
  const stop = async (): Promise<void> => {
    await kept.stop();
    removeConnection(dataDir);
    lock.release();
  };
  return {
    url,
    stop: () => (stopped ??= stop()),
    get postmasterPid() {
      return kept.server().id;
    },
  };
}

/** A server that ran this long was stable; otherwise the pause before the next restart grows. */
const stableMs = 10_000;
const pauseMsFirst = 100;
const pauseMsMax = 2_000;

/**
 * Restarts PostgreSQL whenever it ends. Pauses are bounded and attempts are not: once a full disk is cleared, the service must come
 * back without an operator. Each failed attempt is logged in a line or two.
 */
async function keepRunning(launch: Launch): Promise<{ readonly server: () => Server; readonly stop: () => Promise<void> }> {
  const stopping = new AbortController();
  let server = await launchServer(launch, stopping.signal);
  const kept = keep();

  async function keep(): Promise<void> {
    let pauseMs = 0;
    let since = performance.now();
    for (;;) {
      const end = await server.ended;
      if (stopping.signal.aborted) return;
      pauseMs = performance.now() - since > stableMs ? 0 : nextPause(pauseMs);
      launch.log(`PostgreSQL has ended (${end}) and is restarted.`);
      const next = await restartUntilReady(launch, pauseMs, stopping.signal);
      if (next === null) return;
      server = next;
      // `stop` was called in the moment the server became ready, and stopped only the previous one.
      if (stopping.signal.aborted) return server.shutDown();
      since = performance.now();
      launch.log('PostgreSQL is running again.');
    }
  }

  const stop = async (): Promise<void> => {
    stopping.abort();
    await server.shutDown();
    await kept;
  };
  return { server: () => server, stop };
}

/** Null if the service stops meanwhile. */
async function restartUntilReady(launch: Launch, firstPauseMs: number, stopping: AbortSignal): Promise<Server | null> {
  for (let pauseMs = firstPauseMs; ; pauseMs = nextPause(pauseMs)) {
    await sleep(pauseMs, undefined, { signal: stopping }).catch(() => {});
    if (stopping.aborted) return null;
    try {
      // Child processes hold the shared memory, and a new server cannot start beside them.
      await killAll(launch.location.folder);
      return await launchServer(launch, stopping);
    } catch (error) {
      if (stopping.aborted) return null;
      launch.log(`${messageOf(error)} The next attempt is in ${nextPause(pauseMs)} ms.`);
    }
  }
}

const nextPause = (pauseMs: number): number => Math.min(pauseMsMax, Math.max(pauseMsFirst, pauseMs * 2));

type Connection = { readonly url: string; readonly socketFolder: string };

/** The host before the slash is for parsers that require one; the `host` parameter with the socket's folder takes precedence. */
function connectionUrl({ password }: Cluster, socketFolder: string): string {
  return `postgres://${databaseName}:${password}@localhost/${databaseName}?host=${encodeURIComponent(socketFolder)}&port=${socketPort}`;
}

const connectionFile = (dataDir: string): string => join(dataDir, 'connection.json');

function writeConnection(dataDir: string, connection: Connection): void {
  writeFileSync(connectionFile(dataDir), `${JSON.stringify(connection)}\n`, { mode: 0o600 });
}

function readConnection(dataDir: string): Connection | null {
  try {
    return JSON.parse(readFileSync(connectionFile(dataDir), 'utf8')) as Connection;
  } catch (error) {
    // Missing, or partly written: the caller reads it again.
    if (codeOf(error) === 'ENOENT' || error instanceof SyntaxError) return null;
    throw explainFileError(error, connectionFile(dataDir));
  }
}

function removeConnection(dataDir: string): void {
  const connection = readConnection(dataDir);
  if (connection !== null) removeSocketFolder(connection.socketFolder);
  rmSync(connectionFile(dataDir), { force: true });
}

function answers(socketFolder: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(socketPath(socketFolder));
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
