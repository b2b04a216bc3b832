import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');
const sources = join(root, 'web');
const outputFolder = join(root, 'dist', 'web');
/** The file in the output folder with the fingerprint of its sources. It is never served, because its name has no known media type. */
const fingerprintFile = '.built-from';
const buildMsMax = 120_000;
const triesMax = 10;
const outputLengthMax = 8_000;

/**
 * Returns the folder with the built dashboards. Builds them first in a fresh clone and after an upgrade, in a separate process, so that
 * the builder's memory is freed before the service runs.
 */
export async function ensureDashboardsBuilt(): Promise<string> {
  const wanted = computeFingerprint();
  if (readFingerprint() === wanted) return outputFolder;
  const draft = `${outputFolder}.${randomBytes(6).toString('hex')}`;
  try {
    await build(draft);
    writeFileSync(join(draft, fingerprintFile), wanted);
    replaceOutput(draft, wanted);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  return outputFolder;
}

/** Hashes all sources and the versions of the build tools. This takes a few milliseconds for some hundred small files. */
function computeFingerprint(): string {
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

function readFingerprint(): string | null {
  try {
    return readFileSync(join(outputFolder, fingerprintFile), 'utf8');
  } catch {
    return null;
  }
}

function build(folder: string): Promise<void> {
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js');
  const settings = ['--config', join(sources, 'vite.config.ts'), '--outDir', folder, '--logLevel', 'warn'];
  const child = spawn(process.execPath, [vite, 'build', ...settings], {
    cwd: root,
    // The caller's environment must not change the build: with NODE_ENV "test", React includes its development warnings.
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

/** Two processes may build at the same time, each in its own folder. The first result stays, because it may already be in use. */
function replaceOutput(draft: string, wanted: string): void {
  mkdirSync(join(root, 'dist'), { recursive: true });
  for (let tries = 1; readFingerprint() !== wanted; tries++) {
    rmSync(outputFolder, { recursive: true, force: true });
    try {
      renameSync(draft, outputFolder);
    } catch (error) {
      // The other process created the folder after `rmSync`.
      if (tries === triesMax) throw error;
    }
  }
}
