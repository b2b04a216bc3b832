import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { programFolder } from '../core/program-folder.ts';
import { newBuildFolder, removeAbandonedBuilds, removeBuildFolder } from './build-folders.ts';
import {
  fingerprintSources,
  isBuiltFrom,
  isCurrent,
  outputFolder,
  outputNames,
  sources,
  writeRecord,
  type Fingerprints,
  type Output,
} from './outputs.mjs';
import { runToEnd } from './run-to-end.ts';

const root = fileURLToPath(programFolder);
const titles: Readonly<Record<Output, string>> = { service: 'Service', web: 'Dashboards' };
/** The first installation of Tributary also installs the packages of the builds here. */
const preparedPackages = join(root, 'dist', 'packages');
const buildMsMax = 120_000;
const installMsMax = 300_000;
const triesMax = 10;

/**
 * Returns the folder with an output. Builds it first in a fresh clone and after an upgrade, in a separate process, so that the builder's
 * memory is freed before the service runs.
 */
export async function ensureBuilt(output: Output, onProgress: (line: string) => void = () => {}): Promise<string> {
  const folder = outputFolder(output);
  if (isCurrent(output)) return folder;
  const startedAt = performance.now();
  onProgress(`${titles[output]}: building, once after each update…`);
  removeAbandonedBuilds(folder);
  const draft = newBuildFolder(folder);
  try {
    const fingerprints = fingerprintSources(output);
    await withPackages(draft, onProgress, (packages) => builds[output](packages, draft));
    writeRecord(draft, fingerprints);
    replaceOutput(output, draft, fingerprints);
    onProgress(`${titles[output]}: built in ${((performance.now() - startedAt) / 1_000).toFixed(1)} s`);
  } finally {
    removeBuildFolder(draft);
  }
  return folder;
}

/** `npm install --omit=dev` leaves out the packages that build. The build then gets them in a temporary folder. */
async function withPackages(draft: string, onProgress: (line: string) => void, build: (folder: string) => Promise<void>): Promise<void> {
  if (existsSync(join(root, 'node_modules', 'vite'))) return build(root);
  const folder = `${draft}.packages`;
  try {
    if (!claimPreparedPackages(folder)) await installPackages(folder, onProgress);
    await build(folder);
    leavePackages(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Only one of several processes can rename their folder. */
function claimPreparedPackages(folder: string): boolean {
  try {
    renameSync(preparedPackages, folder);
  } catch {
    return false;
  }
  const locks = [folder, root].map((each) => readFileSync(join(each, 'package-lock.json'), 'utf8'));
  return locks[0] === locks[1] && existsSync(join(folder, 'node_modules', 'vite'));
}

/** An update usually changes both outputs, and the other one is built next. */
function leavePackages(folder: string): void {
  if (outputNames.filter((output) => !isCurrent(output)).length > 1 && !existsSync(preparedPackages)) renameSync(folder, preparedPackages);
}

function installPackages(folder: string, onProgress: (line: string) => void): Promise<void> {
  onProgress('Installing the packages for this, which are removed afterwards…');
  rmSync(folder, { recursive: true, force: true });
  return runToEnd(process.execPath, [join(root, 'scripts', 'install-build-packages.mjs'), folder], {
    cwd: root,
    timeout: installMsMax,
    failure:
      'the packages that build the service and the dashboards could not be installed; check the network and the npm registry, then start again',
  });
}

const builds: Readonly<Record<Output, (packages: string, folder: string) => Promise<void>>> = {
  service: (packages, folder) => runVite({ packages, in: root, config: 'src/build/service.config.ts', folder }),
  async web(packages, folder) {
    // Vite looks for packages above the files that import them.
    if (packages !== root) for (const name of sources.web) cpSync(join(root, name), join(packages, name), { recursive: true });
    await runVite({ packages, in: packages, config: 'web/vite.config.ts', folder });
  },
};

type ViteRun = { readonly packages: string; readonly in: string; readonly config: string; readonly folder: string };

function runVite({ packages, in: cwd, config, folder }: ViteRun): Promise<void> {
  const vite = join(packages, 'node_modules', 'vite', 'bin', 'vite.js');
  const settings = ['--config', join(cwd, config), '--configLoader', 'native', '--outDir', folder, '--logLevel', 'warn'];
  return runToEnd(process.execPath, [vite, 'build', ...settings], {
    cwd,
    // The caller's environment must not change the build: with NODE_ENV "test", React includes its development warnings.
    env: { NODE_ENV: 'production' },
    timeout: buildMsMax,
    failure: `vite could not build with ${config}; run "npx vite build --config ${config}" to see why`,
  });
}

/** Several processes may build at the same time, each in its own folder. Folders are only renamed, so each of them is always whole. */
function replaceOutput(output: Output, draft: string, fingerprints: Fingerprints): void {
  mkdirSync(join(root, 'dist'), { recursive: true });
  const folder = outputFolder(output);
  const former = `${draft}.former`;
  for (let tries = 1; !isBuiltFrom(output, fingerprints); tries++) {
    try {
      if (existsSync(folder)) renameSync(folder, former);
      renameSync(draft, folder);
    } catch (error) {
      // Another process renamed the folder in between.
      if (tries === triesMax) throw error;
    } finally {
      rmSync(former, { recursive: true, force: true });
    }
  }
}
