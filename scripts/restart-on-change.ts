import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, statSync, watch, type FSWatcher } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

type Restarted = { readonly stop: () => Promise<void> };

/** One save, or a checkout, changes several files within this time. */
const changesMs = 50;
const source = /(?<!\.test)\.(?:ts|js|json|sql|css)$/;

/**
 * Runs a process, and a new one whenever a source file in one of the folders changes. With `node --watch`, Node reports each imported file
 * to its parent, which slows the process down.
 */
export function restartOnChange({
  start,
  folders,
  onFailure,
}: {
  readonly start: () => ChildProcess;
  readonly folders: readonly string[];
  readonly onFailure: () => void;
}): Restarted {
  let isStopped = false;
  let restarting: Promise<void> | null = null;
  let child = startWatched();
  const watchers = new Map<string, FSWatcher>();
  for (const folder of folders.flatMap(foldersIn)) watchFolder(folder);

  function startWatched(): ChildProcess {
    const started = start();
    started.once('exit', (code) => {
      if (!isStopped && restarting === null && code !== 0) onFailure();
    });
    return started;
  }

  function watchFolder(folder: string): void {
    watchers.get(folder)?.close();
    const watcher = watch(folder, (_, name) => onChange(folder, name ?? ''));
    // The folder was removed.
    watcher.on('error', () => watcher.close());
    watchers.set(folder, watcher);
  }

  function onChange(folder: string, name: string): void {
    const path = join(folder, name);
    if (isStopped || (!source.test(name) && !isFolder(path))) return;
    try {
      if (isFolder(path)) for (const each of foldersIn(path)) watchFolder(each);
    } catch {
      // The new folder was removed again.
    }
    restarting ??= restart();
  }

  async function restart(): Promise<void> {
    await setTimeout(changesMs);
    await end(child);
    if (!isStopped) child = startWatched();
    restarting = null;
  }

  return {
    stop: async () => {
      isStopped = true;
      for (const watcher of watchers.values()) watcher.close();
      await restarting;
      await end(child);
    },
  };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill();
  await once(child, 'exit');
}

/**
 * All folders, each to be watched separately: with the option `recursive`, Node on Linux reports no further change of a file that an editor
 * replaced.
 */
const foldersIn = (folder: string): readonly string[] => [
  folder,
  ...readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ parentPath, name }) => join(parentPath, name)),
];

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
