import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newBuildFolder, removeAbandonedBuilds, removeBuildFolder } from './build-folders.ts';
import { runToEnd } from './build-step.ts';

const root = join(import.meta.dirname, '..', '..');
/** The dashboards use the SDK's types of the API and its JSON parser. */
const sourceFolders = ['web', 'locales', 'sdk/src'];
const outputFolder = join(root, 'dist', 'web');
/** The file in the output folder with the fingerprint of its sources. It is never served, because its name has no known media type. */
const fingerprintFile = '.built-from';
const buildMsMax = 120_000;
const installMsMax = 300_000;
const triesMax = 10;

/**
 * Returns the folder with the built dashboards. Builds them first in a fresh clone and after an upgrade, in a separate process, so that
 * the builder's memory is freed before the service runs.
 */
export async function ensureDashboardsBuilt(onProgress: (line: string) => void = () => {}): Promise<string> {
  const wanted = computeFingerprint();
  if (readFingerprint() === wanted) return outputFolder;
  const startedAt = performance.now();
  onProgress('Dashboards: building them, once after each update…');
  removeAbandonedBuilds(outputFolder);
  const draft = newBuildFolder(outputFolder);
  try {
    await build(draft, onProgress);
    writeFileSync(join(draft, fingerprintFile), wanted);
    replaceOutput(draft, wanted);
    onProgress(`Dashboards: built in ${((performance.now() - startedAt) / 1_000).toFixed(1)} s`);
  } finally {
    removeBuildFolder(draft);
  }
  return outputFolder;
}

/** Hashes all sources and the versions of the build tools. This takes a few milliseconds for some hundred small files. */
function computeFingerprint(): string {
  const hash = createHash('sha256');
  const files = sourceFolders
    .flatMap((folder) => readdirSync(join(root, folder), { recursive: true, withFileTypes: true }))
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

async function build(folder: string, onProgress: (line: string) => void): Promise<void> {
  if (existsSync(join(root, 'node_modules', 'vite'))) return runVite(root, folder);
  // After `npm install --omit=dev` the build gets its packages in a folder of its own, which is removed afterwards.
  const workFolder = `${folder}.packages`;
  try {
    if (!claimPreparedPackages(workFolder)) await installBuildPackages(workFolder, onProgress);
    for (const name of sourceFolders) cpSync(join(root, name), join(workFolder, name), { recursive: true });
    await runVite(workFolder, folder);
  } finally {
    rmSync(workFolder, { recursive: true, force: true });
  }
}

/** The first installation of Tributary also installs these packages. Only one of several processes can rename their folder. */
function claimPreparedPackages(workFolder: string): boolean {
  try {
    renameSync(`${outputFolder}.packages`, workFolder);
  } catch {
    return false;
  }
  const locks = [workFolder, root].map((folder) => readFileSync(join(folder, 'package-lock.json'), 'utf8'));
  return locks[0] === locks[1] && existsSync(join(workFolder, 'node_modules', 'vite'));
}

function installBuildPackages(folder: string, onProgress: (line: string) => void): Promise<void> {
  onProgress('Dashboards: installing the packages that build them, which are removed afterwards…');
  rmSync(folder, { recursive: true, force: true });
  return runToEnd(process.execPath, [join(root, 'scripts', 'install-dashboard-packages.mjs'), folder], {
    cwd: root,
    timeout: installMsMax,
    failure: 'the packages that build the dashboards could not be installed; check the network and the npm registry, then start again',
  });
}

function runVite(folder: string, output: string): Promise<void> {
  const vite = join(folder, 'node_modules', 'vite', 'bin', 'vite.js');
  const settings = ['--config', join(folder, 'web', 'vite.config.ts'), '--outDir', output, '--logLevel', 'warn'];
  return runToEnd(process.execPath, [vite, 'build', ...settings], {
    cwd: folder,
    // The caller's environment must not change the build: with NODE_ENV "test", React includes its development warnings.
    env: { NODE_ENV: 'production' },
    timeout: buildMsMax,
    failure: 'the dashboards could not be built; run "npx vite build --config web/vite.config.ts" to see why',
  });
}

/** Several processes may build at the same time, each in its own folder. Folders are only renamed, so each of them is always whole. */
function replaceOutput(draft: string, wanted: string): void {
  mkdirSync(join(root, 'dist'), { recursive: true });
  const former = `${draft}.former`;
  for (let tries = 1; readFingerprint() !== wanted; tries++) {
    try {
      if (existsSync(outputFolder)) renameSync(outputFolder, former);
      renameSync(draft, outputFolder);
    } catch (error) {
      // Another process renamed the folder in between.
      if (tries === triesMax) throw error;
    } finally {
      rmSync(former, { recursive: true, force: true });
    }
  }
}
