import { spawn, type ChildProcess } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { expect, onTestFinished } from 'vitest';
import { canRead, canRun, type Account } from '../../src/embedded-postgres/account.ts';
import { removeEmbedded, startEmbedded, type EmbeddedDatabase } from '../../src/embedded-postgres/start.ts';
import { invariant } from '../../src/core/invariant.ts';

export const isRoot = process.getuid?.() === 0;
const embeddedSource = import.meta.resolve('../../src/embedded-postgres/start.ts');

/** A separate data folder, not yet created, whose database is stopped and removed after the test. */
export function newDataDir(within = ''): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'tributary-embedded-')));
  chmodSync(folder, 0o755);
  const dataDir = join(folder, within, '.data');
  if (within !== '') mkdirSync(join(folder, within), { recursive: true });
  onTestFinished(async () => {
    await removeEmbedded(dataDir);
    rmSync(folder, { recursive: true, force: true });
  });
  return dataDir;
}

export async function start(dataDir: string, log: (line: string) => void = () => {}): Promise<EmbeddedDatabase> {
  const database = await startEmbedded({ dataDir, log });
  onTestFinished(database.stop);
  return database;
}

type Child = {
  /** The URL, or the error line. */
  readonly says: Promise<string>;
  readonly ended: Promise<void>;
  readonly kill: (signalName?: 'SIGKILL' | 'SIGTERM') => Promise<void>;
};

/** Starts the database in a separate process, as another user if one is given. */
export function startInChild(dataDir: string, options: { readonly account?: Account | null; readonly afterwards?: string } = {}): Child {
  const program = `
    import { startEmbedded } from ${JSON.stringify(embeddedSource)};
    try {
      const database = await startEmbedded({ dataDir: ${JSON.stringify(dataDir)}, log: () => {} });
      process.once('SIGTERM', () => database.stop());
      console.log(database.url);
    } catch (error) {
      console.log(error.message);
    }
    ${options.afterwards ?? ''}`;
  const account = options.account ?? null;
  const child: ChildProcess = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
    cwd: '/',
    ...(account === null ? {} : { uid: account.uid, gid: account.gid }),
  });
  const output = child.stdout;
  invariant(output !== null, 'the output is a pipe');
  const says = new Promise<string>((resolve) =>
    createInterface({ input: output })
      .once('line', resolve)
      .once('close', () => resolve('')),
  );
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const kill = async (signalName: 'SIGKILL' | 'SIGTERM' = 'SIGKILL'): Promise<void> => {
    child.kill(signalName);
    await ended;
  };
  onTestFinished(() => kill());
  return { says, ended, kill };
}

/** Under root an unprivileged user; otherwise null for the current user, who has no privileges. */
export const otherAccount: Account | null = isRoot ? unprivilegedAccount() : null;

/** Another user cannot read a clone that only root can enter. */
export const hasOtherAccount = !isRoot || (canRun(process.execPath, otherAccount) && canRead(fileURLToPath(embeddedSource), otherAccount));

function unprivilegedAccount(): Account {
  const [, uid, gid] = /^nobody:[^:]*:(\d+):(\d+):/m.exec(readFileSync('/etc/passwd', 'utf8')) ?? [];
  return { name: 'nobody', uid: Number(uid), gid: Number(gid) };
}

export async function query(url: string, text: string): Promise<readonly unknown[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
  client.on('error', () => {});
  try {
    await client.connect();
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end().catch(() => {});
  }
}

export async function answersAgain(url: string): Promise<void> {
  const once = (): Promise<boolean> =>
    query(url, 'select 1').then(
      () => true,
      () => false,
    );
  await expect.poll(once, { interval: 20 }).toBe(true);
}
