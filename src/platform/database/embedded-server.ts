import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Binaries } from './embedded-binaries.ts';
import type { Cluster } from './embedded-cluster.ts';
import { cannotStart, explainServerWords, explainSpawnError } from './embedded-failure.ts';
import { socketPort, type Place } from './embedded-place.ts';
import { killAll, postmasterFile, processesIn, readPostmasterFile } from './embedded-processes.ts';
import { bareEnvironment, identity, keep, wordLengthMax } from './embedded-run.ts';

export type Server = {
  readonly id: number;
  /** Settles when it has ended, with how. */
  readonly ended: Promise<string>;
  readonly shutDown: () => Promise<void>;
};

export type Launch = {
  readonly place: Place;
  readonly binaries: Binaries;
  readonly cluster: Cluster;
  readonly socketFolder: string;
  readonly log: (line: string) => void;
};

/** After a crash PostgreSQL replays its log first: some seconds, longer on a slow disk. */
const readyMs = 60_000;
const readyPauseMs = 5;
const fastShutdownMs = 15_000;
const immediateShutdownMs = 3_000;

/** Starts PostgreSQL and waits until it takes connections. The caller holds the folder's lock and has stopped what was there. */
export async function launchServer(launch: Launch, cancelled: AbortSignal): Promise<Server> {
  const { place, binaries, cluster } = launch;
  // A stale file stops PostgreSQL when its number has been given to another process. Nothing works in this folder now.
  if (processesIn(place.folder).length === 0) rmSync(postmasterFile(place.folder), { force: true });
  const child = spawn(binaries.postgres, ['-D', cluster.folder, ...settingArgs(launch)], {
    cwd: cluster.folder,
    env: bareEnvironment,
    stdio: ['ignore', 'ignore', 'pipe'],
    // A session of its own: Ctrl-C in the terminal must not reach PostgreSQL before the service has ended its work.
    detached: true,
    ...identity(place.account),
  });
  const words: string[] = [];
  const ended = watch(child, words, launch.log);
  const id = await spawned(child, binaries.postgres);
  const server = { id, ended, shutDown: () => shutDown({ child, ended, folder: place.folder }) };
  await ready({ server, words, folder: place.folder, cancelled });
  return server;
}

/**
 * Settings for a machine with two cores that also runs the service. Whoever wants others runs a PostgreSQL of their own.
 * They are given with each start, so that the source is the one truth and an older data folder gets them too.
 */
function settingArgs({ socketFolder }: Launch): readonly string[] {
  const settings = {
    // Only through the private socket: nothing on the network, whatever the firewall says.
    listen_addresses: '',
    port: socketPort,
    unix_socket_directories: `"${socketFolder.replaceAll('"', '""')}"`,
    unix_socket_permissions: '0700',
    password_encryption: 'scram-sha-256',
    max_connections: 100,
    // What was answered is on the disk.
    fsync: 'on',
    synchronous_commit: 'on',
    full_page_writes: 'on',
    // The hot tables and indexes fit; the operating system caches the rest.
    shared_buffers: '256MB',
    effective_cache_size: '1GB',
    work_mem: '8MB',
    maintenance_work_mem: '128MB',
    // No standby reads the log, so it need not say more than recovery wants.
    wal_level: 'minimal',
    max_wal_senders: 0,
    // After a crash all of this may have to be replayed, at 8 ms a MB: 3 s, of the 5 in which the service must be back.
    // (Measured: filling three indexes writes 16 % more log than with 1 GB; 33 % more with 256 MB.)
    max_wal_size: '384MB',
    min_wal_size: '256MB',
    checkpoint_timeout: '5min',
    checkpoint_completion_target: '0.9',
    // Reads by index cost little more than reads in a row on today's disks.
    random_page_cost: '1.1',
    // Statements here are short: compiling them costs more than it gains, and one report must not take both cores.
    jit: 'off',
    max_parallel_workers_per_gather: 0,
    timezone: 'UTC',
    log_timezone: 'UTC',
    // What happens to the server is logged. Statements and values are not: they hold people's data.
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

/** Keeps its last words to explain an end, passes on what is not routine, and lets it end with us when we end in a hurry. */
function watch(child: Child, words: string[], log: (line: string) => void): Promise<string> {
  const stopWithUs = (): void => void child.kill('SIGINT');
  // One that the system would not begin has no end either, which would take this away again; and the tries go on for ever.
  if (child.pid !== undefined) process.once('exit', stopWithUs);
  createInterface({ input: child.stderr }).on('line', (line) => {
    keep(words, [line]);
    if (notable.test(line) && !routine.test(line)) log(`PostgreSQL: ${line.slice(0, wordLengthMax)}`);
  });
  return new Promise((resolve) => {
    child.once('exit', (code, signalName) => {
      process.off('exit', stopWithUs);
      resolve(signalName === null ? `it ended with code ${code}` : `it was ended by ${signalName}`);
    });
  });
}

/** What an operator should hear. Statements are not among it, nor what every stop and recovery says to those who connect meanwhile. */
const notable = /^(WARNING|FATAL|PANIC):|terminated by signal/;
const routine = /terminating connection due to administrator command|the database system is (starting up|shutting down|not yet accepting)/;

function spawned(child: Child, program: string): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once('error', (error) => reject(explainSpawnError(error, program)));
    child.once('spawn', () => resolve(child.pid ?? 0));
  });
}

type Readiness = { readonly server: Server; readonly words: readonly string[]; readonly folder: string; readonly cancelled: AbortSignal };

async function ready({ server, words, folder, cancelled }: Readiness): Promise<void> {
  let hasEnded = false;
  void server.ended.then(() => (hasEnded = true));
  const deadline = performance.now() + readyMs;
  for (;;) {
    const file = readPostmasterFile(folder);
    if (file?.id === server.id && file.isReady) return;
    if (hasEnded) {
      await killAll(folder);
      throw explainServerWords(words, folder);
    }
    if (cancelled.aborted || performance.now() > deadline) {
      await server.shutDown();
      throw cannotStart(
        cancelled.aborted ? 'PostgreSQL was stopped while it started.' : `PostgreSQL was not ready after ${readyMs / 1000} s in ${folder}.`,
      );
    }
    await sleep(readyPauseMs);
  }
}

/** Asks, insists, ends it: whatever happens, it is over after 20 s and nothing of it is left. */
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
