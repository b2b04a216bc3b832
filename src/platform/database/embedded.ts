import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { prepareBinaries } from './embedded-binaries.ts';
import { databaseName, ensureCluster, type Cluster } from './embedded-cluster.ts';
import { codeOf, explainFileError, messageOf } from './embedded-failure.ts';
import { isLocked, lockFolder, type FolderLock } from './embedded-lock.ts';
import {
  choosePlace,
  makeSocketFolder,
  prepareDataDir,
  removePlace,
  removeSocketFolder,
  socketPath,
  socketPort,
} from './embedded-place.ts';
import { killAll, stopOrphans } from './embedded-processes.ts';
import { launchServer, type Launch, type Server } from './embedded-server.ts';

export type EmbeddedDatabase = {
  /** For `pg`, as `connectionString`. Stays the same when PostgreSQL is started again. */
  readonly url: string;
  readonly stop: () => Promise<void>;
  /** Today's: another one after PostgreSQL was started again. */
  readonly postmasterPid: number;
};

export type EmbeddedOptions = { readonly dataDir: string; readonly log: (line: string) => void };

/**
 * Starts a real PostgreSQL in the data folder and keeps it running until `stop`. What cannot be done is thrown as an
 * Error whose message is one line for a person.
 */
export async function startEmbedded({ dataDir: path, log }: EmbeddedOptions): Promise<EmbeddedDatabase> {
  const dataDir = prepareDataDir(path);
  const lock = await lockFolder(dataDir);
  try {
    return await startLocked(dataDir, lock, log);
  } catch (error) {
    lock.release();
    throw codeOf(error) === null ? error : explainFileError(error, dataDir);
  }
}

/** How long somebody waits beside a service that is just starting. */
const findMs = 10_000;
const findPauseMs = 50;

/** How to connect to the database that another process runs in this data folder; null where none does. */
export async function findEmbedded(dataDir: string): Promise<{ readonly url: string } | null> {
  const deadline = performance.now() + findMs;
  while (performance.now() < deadline) {
    const connection = readConnection(dataDir);
    // Without the lock there is no Tributary, though its PostgreSQL may have outlived it: the next start stops that one.
    if (connection === null && !isLocked(dataDir)) return null;
    if (connection !== null && (await answers(connection.socketFolder)) && isLocked(dataDir)) return { url: connection.url };
    if (!isLocked(dataDir)) return null;
    await sleep(findPauseMs);
  }
  return null;
}

/** Removes the database of a data folder, wherever it is. Refused while one runs. */
export async function removeEmbedded(path: string): Promise<void> {
  const dataDir = prepareDataDir(path);
  const lock = await lockFolder(dataDir);
  try {
    const place = choosePlace(dataDir, () => {});
    await killAll(place.folder);
    forgetConnection(dataDir);
    removePlace(place);
  } finally {
    lock.release();
  }
}

async function startLocked(dataDir: string, lock: FolderLock, log: (line: string) => void): Promise<EmbeddedDatabase> {
  const place = choosePlace(dataDir, log);
  await stopOrphans(place.folder, log);
  forgetConnection(dataDir);
  const binaries = prepareBinaries(place);
  const cluster = await ensureCluster(place, binaries);
  const launch = { place, binaries, cluster, socketFolder: makeSocketFolder(place), log };
  const url = connectionUrl(cluster, launch.socketFolder);
  writeConnection(dataDir, { url, socketFolder: launch.socketFolder });
  const kept = await keepRunning(launch);
  let stopped: Promise<void> | undefined;
  const stop = async (): Promise<void> => {
    await kept.stop();
    forgetConnection(dataDir);
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

/** A server that lasted this long was well; one that did not is started again after a pause that grows. */
const wellMs = 10_000;
const pauseMsFirst = 100;
const pauseMsMax = 2_000;

/**
 * Starts PostgreSQL again whenever it dies. The pauses are bounded, the tries are not: a full disk that is cleared must
 * bring the service back without a person. A try that fails is a line or two in the log.
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
      pauseMs = performance.now() - since > wellMs ? 0 : longer(pauseMs);
      launch.log(`PostgreSQL is gone (${end}) and is started again.`);
      const next = await startAgain(launch, pauseMs, stopping.signal);
      if (next === null) return;
      server = next;
      // Told to stop in the very moment in which it became ready: `stop` knew only the one before.
      if (stopping.signal.aborted) return server.shutDown();
      since = performance.now();
      launch.log('PostgreSQL is back.');
    }
  }

  const stop = async (): Promise<void> => {
    stopping.abort();
    await server.shutDown();
    await kept;
  };
  return { server: () => server, stop };
}

/** Null where the service stops meanwhile. */
async function startAgain(launch: Launch, firstPauseMs: number, stopping: AbortSignal): Promise<Server | null> {
  for (let pauseMs = firstPauseMs; ; pauseMs = longer(pauseMs)) {
    await sleep(pauseMs, undefined, { signal: stopping }).catch(() => {});
    if (stopping.aborted) return null;
    try {
      // Its children hold its memory, and a new one may not begin beside them.
      await killAll(launch.place.folder);
      return await launchServer(launch, stopping);
    } catch (error) {
      if (stopping.aborted) return null;
      launch.log(`${messageOf(error)} The next try is in ${longer(pauseMs)} ms.`);
    }
  }
}

const longer = (pauseMs: number): number => Math.min(pauseMsMax, Math.max(pauseMsFirst, pauseMs * 2));

type Connection = { readonly url: string; readonly socketFolder: string };

/** The host before the slash is for parsers that want one; the folder of the socket comes after it and is what counts. */
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
    // Not there, or half written: whoever asks looks again.
    if (codeOf(error) === 'ENOENT' || error instanceof SyntaxError) return null;
    throw explainFileError(error, connectionFile(dataDir));
  }
}

function forgetConnection(dataDir: string): void {
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
