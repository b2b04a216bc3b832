/*
 * Runs before every npm script: installs what package-lock.json names when that has not been done yet, and sees to it
 * that `node` in the script is one that can run the service. It runs on whatever Node the machine has (14 or newer), so it
 * is plain old JavaScript without a dependency. It writes to stderr only: scripts have their own output on stdout.
 */
import { spawn, spawnSync } from 'child_process';
import { createHash } from 'crypto';
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  statSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'fs';
import { hostname } from 'os';
import { dirname, join } from 'path';
import { fileURLToPath } from 'url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const modules = join(root, 'node_modules');
/** Holds the fingerprint of what is installed. Gone while npm works, so that an install that was cut off is done again. */
const mark = join(modules, '.installed-from-lock');
const lock = join(modules, '.installing');
const pinnedNode = join(modules, '.bin', 'node');

const platforms = ['linux x64', 'linux arm64', 'darwin x64', 'darwin arm64'];
const nodeMin = [22, 18];
const npmMajorMin = 7;
const waitMsMax = 15 * 60 * 1000;
const waitPauseMs = 200;
const beatMs = 2 * 1000;
/** A holder that has not touched its lock for this long is gone, wherever it ran. */
const staleMs = 30 * 1000;
const outputLengthMax = 8000;
const ourselves = `${hostname()} ${process.pid}`;

main().catch((error) => stop(error instanceof Error ? error.message : String(error)));

async function main() {
  const platform = `${process.platform} ${process.arch}`;
  if (!platforms.includes(platform))
    stop(`Tributary runs on Linux and macOS (x64 and arm64), and this is ${platform}. On Windows use WSL.`);
  const wanted = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .update(platform)
    .digest('hex');
  if (readMark() !== wanted) {
    refuseMusl();
    await withLock(async () => {
      // Another start may have installed it while this one waited.
      if (readMark() !== wanted) await install(wanted);
    });
  }
  checkNode();
}

function stop(line, code = 1) {
  process.stderr.write(`${line}\n`);
  process.exit(code);
}

function readMark() {
  try {
    return readFileSync(mark, 'utf8').trim();
  } catch {
    return null;
  }
}

/** Alpine and its like have another C library: what npm brings as programs (Node, PostgreSQL, the browser) does not run there. */
function refuseMusl() {
  if (process.platform !== 'linux') return;
  const header = process.report && process.report.getReport().header;
  const isMusl = header
    ? header.glibcVersionRuntime === undefined
    : existsSync(`/lib/ld-musl-${process.arch === 'x64' ? 'x86_64' : 'aarch64'}.so.1`);
  if (isMusl)
    stop(
      'This Linux uses musl (Alpine?), and the programs that Tributary brings need glibc: use a Debian, Ubuntu or Fedora based system or image.',
    );
}

async function install(wanted) {
  const npm = findNpm();
  process.stderr.write('Installing what package-lock.json names (about half a minute, once)…\n');
  if (existsSync(mark)) unlinkSync(mark);
  const { code, output } = await run(npm);
  if (code !== 0) {
    process.stderr.write(`${output.trim()}\n`);
    stop(whatToDo(output, code));
  }
  if (existsSync(pinnedNode)) {
    const trial = spawnSync(pinnedNode, ['--version'], { encoding: 'utf8' });
    const why = trial.error ? trial.error.message : String(trial.stderr).trim().split('\n')[0];
    if (trial.status !== 0) stop(`The Node that package-lock.json names does not run on this system, it needs glibc 2.28 or newer: ${why}`);
  }
  writeFileSync(mark, `${wanted}\n`);
}

/** npm names itself to its scripts; outside of one, the one on the PATH is taken. */
function findNpm() {
  const cli = process.env.npm_execpath;
  const isNpm = cli !== undefined && cli.endsWith('npm-cli.js');
  const npm = isNpm ? [process.env.npm_node_execpath || process.execPath, cli] : ['npm'];
  const asked = spawnSync(npm[0], npm.slice(1).concat('--version'), { cwd: root, encoding: 'utf8' });
  if (asked.error || asked.status !== 0)
    stop('npm does not run here, and it is needed to install the packages: install it together with Node from https://nodejs.org.');
  const version = asked.stdout.trim();
  if (parseInt(version, 10) < npmMajorMin)
    stop(`npm ${version} cannot read package-lock.json: npm ${npmMajorMin} or newer is needed (npm install --global npm@8).`);
  return npm;
}

/**
 * Scripts of packages are not run: nothing here needs one. What a user's own settings leave out by habit (NODE_ENV, omit)
 * is installed all the same, or the mark would not say what is there. `npm ci` is no choice: where a registry lacked the
 * programs of another platform when the lock was made, it stops.
 */
function run(npm) {
  const args = ['install', '--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--no-progress', '--loglevel=error'];
  const whole = ['--include=dev', '--include=optional', '--fetch-retry-mintimeout=1000', '--fetch-retry-maxtimeout=10000'];
  const child = spawn(npm[0], npm.slice(1).concat(args, whole), { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  const keep = (text) => (output = (output + text).slice(-outputLengthMax));
  child.stdout.setEncoding('utf8').on('data', keep);
  child.stderr.setEncoding('utf8').on('data', keep);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.once(signal, () => {
      child.kill(signal);
      releaseLock();
      stop('The installation was stopped; the next start goes on with it.', 130);
    });
  }
  return new Promise((resolve) => {
    child.once('error', (error) => resolve({ code: 1, output: error.message }));
    child.once('close', (code) => resolve({ code, output }));
  });
}

function whatToDo(output, code) {
  if (/ENOSPC|EDQUOT|no space left/i.test(output))
    return `The disk is full: about 1 GB is needed in ${root} and in npm's cache. Free some space, then start again.`;
  if (/EROFS|EACCES|EPERM/.test(output))
    return 'npm may not write in one of its folders (its path is above): make it yours (chown), or start as its owner.';
  if (/EINTEGRITY/.test(output))
    return 'A package is not the one that package-lock.json names: clear the cache (npm cache clean --force), then start again.';
  if (/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|CERT|network|socket/i.test(output)) {
    return 'The npm registry cannot be reached: check the network, the proxy and "npm config get registry", then start again.';
  }
  if (/E404|ETARGET|ENOVERSIONS/.test(output))
    return 'The npm registry lacks a package (its name is above): check "npm config get registry", then start again.';
  return `npm install ended with code ${code} and said the above: mend that, then start again.`;
}

/** Two starts at once would install into each other's feet. The lock is a folder, because making one either works or does not. */
async function withLock(work) {
  makeFolder(modules);
  const deadline = Date.now() + waitMsMax;
  let hasTold = false;
  while (!takeLock()) {
    if (Date.now() > deadline) stop(`Another start has been installing for ${waitMsMax / 60000} minutes: end it, or remove ${lock}.`);
    if (breakStaleLock()) continue;
    if (!hasTold) process.stderr.write('Another start is installing the packages; waiting for it…\n');
    hasTold = true;
    await new Promise((resolve) => setTimeout(resolve, waitPauseMs));
  }
  const beat = setInterval(() => touch(lock), beatMs);
  process.once('exit', releaseLock);
  await work();
  clearInterval(beat);
  releaseLock();
}

function takeLock() {
  try {
    mkdirSync(lock);
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    stop(cannotWrite(error));
  }
  writeFileSync(join(lock, 'holder'), ourselves);
  return true;
}

function releaseLock() {
  if (readHolder(lock) === ourselves) removeLock(lock);
}

/** Put aside by its old holder's name: if a new one came in between, it gets its lock back. */
function breakStaleLock() {
  const holder = readHolder(lock);
  if (!isStale(holder)) return false;
  const aside = `${lock}-${process.pid}-${Date.now()}`;
  try {
    renameSync(lock, aside);
    if (readHolder(aside) === holder) removeLock(aside);
    else renameSync(aside, lock);
  } catch {
    // Somebody else was quicker: look again.
  }
  return true;
}

function isStale(holder) {
  const [host, id] = (holder || '').split(' ');
  if (host === hostname() && !isAlive(Number(id))) return true;
  try {
    return Date.now() - statSync(lock).mtimeMs > staleMs;
  } catch {
    return false;
  }
}

function isAlive(id) {
  try {
    process.kill(id, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

function readHolder(folder) {
  try {
    return readFileSync(join(folder, 'holder'), 'utf8');
  } catch {
    return null;
  }
}

function removeLock(folder) {
  if (existsSync(join(folder, 'holder'))) unlinkSync(join(folder, 'holder'));
  rmdirSync(folder);
}

function touch(path) {
  try {
    utimesSync(path, new Date(), new Date());
  } catch {
    // A lock that was taken from us is not ours to touch.
  }
}

function makeFolder(path) {
  try {
    mkdirSync(path, { recursive: true });
  } catch (error) {
    stop(cannotWrite(error));
  }
}

function cannotWrite(error) {
  if (error.code === 'ENOSPC' || error.code === 'EDQUOT') return whatToDo(error.code, 1);
  if (error.code === 'EROFS')
    return `${root} is read-only and its packages are not installed: run "node scripts/ensure-install.mjs" where it can be written.`;
  return `The packages cannot be installed in ${modules}, because you may not write there: make it yours (chown), or start as its owner.`;
}

/** The pinned Node comes from npm where there is one (Linux). Elsewhere the machine's own must do. */
function checkNode() {
  try {
    accessSync(pinnedNode, constants.X_OK);
    return;
  } catch {
    // Judged by its version below.
  }
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > nodeMin[0] || (major === nodeMin[0] && minor >= nodeMin[1])) return;
  stop(
    `Node ${process.versions.node} is too old, and node_modules holds no newer one for this machine: install Node 24 (or at least ${nodeMin.join('.')}) from https://nodejs.org.`,
  );
}
