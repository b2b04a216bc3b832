import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { platform, release } from 'node:os';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Binaries } from './binaries.ts';
import type { Cluster } from './cluster.ts';
import { cannotStart, explainServerOutput, explainSpawnError } from './start-errors.ts';
import { socketPort, type DatabaseLocation } from './location.ts';
import { killAll, postmasterFile, processesIn, readPostmasterFile } from './processes.ts';
import { bareEnvironment, spawnIdentity, keepLastLines, outputLineLengthMax } from './run-program.ts';

export type Server = {
  readonly id: number;
  /** Resolves with a description of how it ended. */
  readonly ended: Promise<string>;
  readonly shutDown: () => Promise<void>;
};

export type Launch = {
  readonly location: DatabaseLocation;
  readonly binaries: Binaries;
  readonly cluster: Cluster;
  readonly socketFolder: string;
  readonly isDurable: boolean;
  readonly connectionsMax: number;
  readonly log: (line: string) => void;
};

/** Since this version, Linux reports the errors of `syncfs`. */
const syncfsVersion = [5, 8] as const;

/**
 * After a crash, PostgreSQL first writes its folder to disk, before it replays the WAL. With `syncfs` that is one call. Otherwise it opens
 * each of its thousands of files, which took half of the time until the service was back.
 */
export function recoverySyncFor(system: string, version: string): { readonly recovery_init_sync_method?: 'syncfs' } {
  const [major = 0, minor = 0] = version.split(/[.-]/).map(Number);
  const [least, leastMinor] = syncfsVersion;
  const isReported = major > least || (major === least && minor >= leastMinor);
  return system === 'linux' && isReported ? { recovery_init_sync_method: 'syncfs' } : {};
}
const recoverySync = recoverySyncFor(platform(), release());

/** After a crash PostgreSQL replays its WAL first: a few seconds, longer on a slow disk. */
const readyMs = 60_000;
const readyPauseMs = 5;
const fastShutdownMs = 15_000;
const immediateShutdownMs = 3_000;

/** Starts PostgreSQL and waits until it accepts connections. The caller holds the folder's lock and has stopped earlier processes. */
export async function launchServer(launch: Launch, cancelled: AbortSignal): Promise<Server> {
  const { location, binaries, cluster } = launch;
  // A stale file stops PostgreSQL if its process ID has been reused. No process uses this folder now.
  if (processesIn(location.folder).length === 0) rmSync(postmasterFile(location.folder), { force: true });
  const child = spawn(binaries.postgres, ['-D', cluster.folder, ...settingArgs(launch)], {
    cwd: cluster.folder,
    env: bareEnvironment,
    stdio: ['ignore', 'ignore', 'pipe'],
    // A separate session: Ctrl-C in the terminal must not reach PostgreSQL before the service has shut down.
    detached: true,
    ...spawnIdentity(location.account),
  });
  const outputLines: string[] = [];
  const ended = watch(child, outputLines, launch.log);
  const id = await spawned(child, binaries.postgres);
  const server = { id, ended, shutDown: () => shutDown({ child, ended, folder: location.folder }) };
  await waitUntilReady({ server, outputLines, folder: location.folder, cancelled });
  return server;
}

/**
 * Settings for a machine with two cores that also runs the service; other settings need an external PostgreSQL. They are passed at
 * each start, so that they apply to existing data folders too.
 */
function settingArgs({ socketFolder, isDurable, connectionsMax }: Launch): readonly string[] {
  const settings = {
    // Accepts connections through the private socket only, never from the network.
    listen_addresses: '',
    port: socketPort,
    unix_socket_directories: `"${socketFolder.replaceAll('"', '""')}"`,
    unix_socket_permissions: '0700',
    password_encryption: 'scram-sha-256',
    max_connections: connectionsMax,
    // Every answered request is on disk.
    fsync: isDurable ? 'on' : 'off',
    synchronous_commit: isDurable ? 'on' : 'off',
    full_page_writes: isDurable ? 'on' : 'off',
    // A run of tests has hundreds of databases, which it would visit all the time.
    autovacuum: isDurable ? 'on' : 'off',
    // A vacuum writes 5 MB/s instead of 25. At 1,700 orders a second, the usual pace tripled the WAL, and commits waited for the disk.
    autovacuum_vacuum_cost_delay: '10ms',
    // Hot tables and indexes fit; the operating system caches the rest.
    shared_buffers: '256MB',
    effective_cache_size: '1GB',
    work_mem: '8MB',
    maintenance_work_mem: '128MB',
    // No standby reads the WAL, so it contains only what recovery needs.
    wal_level: 'minimal',
    max_wal_senders: 0,
    // After a crash all of this may have to be replayed, at 8 ms per MB: 3 s of the 5 s in which the service must be back.
    // (Measured: filling three indexes writes 16% more WAL than with 1 GB; 33% more with 256 MB.)
    max_wal_size: '384MB',
    // All WAL files are kept and reused: a commit that needs a new one waits until it is written, and all others with it (25 to 60 ms).
    min_wal_size: '384MB',
    ...recoverySync,
    checkpoint_timeout: '5min',
    checkpoint_completion_target: '0.9',
    // On SSDs a random read costs little more than a sequential one.
    random_page_cost: '1.1',
    // Statements are short: JIT compilation costs more than it saves, and one report must not use both cores.
    jit: 'off',
    max_parallel_workers_per_gather: 0,
    timezone: 'UTC',
    log_timezone: 'UTC',
    // Logs server events. Statements and values are not logged, because they contain personal data.
    log_destination: 'stderr',
    logging_collector: 'off',
    log_line_prefix: '',
    log_min_messages: 'log',
    log_min_error_statement: 'panic',
    log_error_verbosity: 'terse',
    log_checkpoints: 'off',
  };
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

type Child = ChildProcessByStdio<null, null, Readable>;

/** Keeps the last output lines to explain an exit, forwards notable ones to the log, and stops PostgreSQL if this process exits. */
function watch(child: Child, outputLines: string[], log: (line: string) => void): Promise<string> {
  const stopWithUs = (): void => void child.kill('SIGINT');
  // A process that failed to spawn never emits `exit`, so this listener would never be removed, and restarts are unlimited.
  if (child.pid !== undefined) process.once('exit', stopWithUs);
  createInterface({ input: child.stderr }).on('line', (line) => {
    keepLastLines(outputLines, [line]);
    if (notable.test(line) && !routine.test(line)) log(`PostgreSQL: ${line.slice(0, outputLineLengthMax)}`);
  });
  return new Promise((resolve) => {
    child.once('exit', (code, signalName) => {
      process.off('exit', stopWithUs);
      resolve(signalName === null ? `it ended with code ${code}` : `it was ended by ${signalName}`);
    });
  });
}

/** Server messages that an operator should see: no statements, and not the messages of every shutdown and recovery. */
const notable = /^(WARNING|FATAL|PANIC):|terminated by signal/;
const routine = /terminating connection due to administrator command|the database system is (starting up|shutting down|not yet accepting)/;

function spawned(child: Child, program: string): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once('error', (error) => reject(explainSpawnError(error, program)));
    child.once('spawn', () => resolve(child.pid ?? 0));
  });
}

type Readiness = {
  readonly server: Server;
  readonly outputLines: readonly string[];
  readonly folder: string;
  readonly cancelled: AbortSignal;
};

async function waitUntilReady({ server, outputLines, folder, cancelled }: Readiness): Promise<void> {
  let hasEnded = false;
  void server.ended.then(() => (hasEnded = true));
  const deadline = performance.now() + readyMs;
  for (;;) {
    const file = readPostmasterFile(folder);
    if (file?.id === server.id && file.isReady) return;
    if (hasEnded) {
      await killAll(folder);
      throw explainServerOutput(outputLines, folder);
    }
    if (cancelled.aborted || performance.now() > deadline) {
      await server.shutDown();
      throw cannotStart(
        cancelled.aborted ? 'PostgreSQL was stopped during its start.' : `PostgreSQL was not ready after ${readyMs / 1000} s in ${folder}.`,
      );
    }
    await sleep(readyPauseMs);
  }
}

/** Tries a fast shutdown, then an immediate one, then kills all processes: it ends within 20 s. */
async function shutDown({
  child,
  ended,
  folder,
}: {
  readonly child: Child;
  readonly ended: Promise<string>;
  readonly folder: string;
}): Promise<void> {
  for (const [name, limitMs] of [
    ['SIGINT', fastShutdownMs],
    ['SIGQUIT', immediateShutdownMs],
  ] as const) {
    child.kill(name);
    const limit = new AbortController();
    const isOver = await Promise.race([ended.then(() => true), sleep(limitMs, false, { signal: limit.signal }).catch(() => false)]);
    limit.abort();
    if (isOver) break;
  }
  await killAll(folder);
}
