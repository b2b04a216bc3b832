import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..', '..');
const sources = join(root, 'web');
const built = join(root, 'dist', 'web');
/** Stands in the built folder and says what it was built from. Without a type for the web, so it is never served. */
const markName = '.built-from';
const buildMsMax = 120_000;
const triesMax = 10;
const outputLengthMax = 8_000;

/**
 * The folder with the built dashboards. A fresh clone has none, and an upgrade an old one: then they are built first, once,
 * by a process of its own, so that the builder's memory is gone when the service runs.
 */
export async function ensureWebBuilt(): Promise<string> {
  const wanted = fingerprint();
  if (readMark() === wanted) return built;
  const draft = `${built}.${randomBytes(6).toString('hex')}`;
  try {
    await build(draft);
    writeFileSync(join(draft, markName), wanted);
    putInPlace(draft, wanted);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  return built;
}

/** All sources and the versions of what they are built with. Some hundred small files: a few milliseconds. */
function fingerprint(): string {
  const hash = createHash('sha256');
  const files = readdirSync(sources, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .toSorted();
  for (const file of [...files, join(root, 'package-lock.json')]) {
    const bytes = readFileSync(file);
    hash.update(`${file.slice(root.length)} ${bytes.length}\n`).update(bytes);
  }
  return hash.digest('hex');
}

function readMark(): string | null {
  try {
    return readFileSync(join(built, markName), 'utf8');
  } catch {
    return null;
  }
}

function build(folder: string): Promise<void> {
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js');
  const settings = ['--config', join(sources, 'vite.config.ts'), '--outDir', folder, '--logLevel', 'warn'];
  const child = spawn(process.execPath, [vite, 'build', ...settings], {
    cwd: root,
    // Nothing of whoever starts it may change what is built: where NODE_ENV is "test", React's own tests and warnings come along.
    env: { NODE_ENV: 'production' },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: buildMsMax,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (bytes: Buffer) => {
      output = (output + bytes.toString('utf8')).slice(-outputLengthMax);
    });
  }
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      if (code === 0) resolve();
      else
        reject(
          new Error(`the dashboards could not be built; run "npx vite build --config web/vite.config.ts" to see why\n${output.trim()}`),
        );
    });
  });
}

/** Two starts may build at once: each in a folder of its own. The first one stays, since it may be being read already. */
function putInPlace(draft: string, wanted: string): void {
  mkdirSync(join(root, 'dist'), { recursive: true });
  for (let tries = 1; readMark() !== wanted; tries++) {
    rmSync(built, { recursive: true, force: true });
    try {
      renameSync(draft, built);
    } catch (error) {
      // The other one was between these two lines as well.
      if (tries === triesMax) throw error;
    }
  }
}
