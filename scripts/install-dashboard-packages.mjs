/*
 * Installs the packages that build the dashboards, in a folder of their own: `node scripts/install-dashboard-packages.mjs <folder>`.
 * They are development packages, which an install for the service alone leaves out. It runs on the system's Node (14.14 or newer).
 */
import { spawn } from 'child_process';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'fs';
import { dirname, join } from 'path';
import { fileURLToPath } from 'url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const folder = process.argv[2];

/** npm installs the versions that package-lock.json names, and nothing else of it. */
const { dependencies: ofService, devDependencies } = readJson('package.json');
const dependencies = {};
for (const name of readJson('web', 'build-packages.json')) dependencies[name] = devDependencies[name] || ofService[name];
mkdirSync(folder, { recursive: true });
copyFileSync(join(root, 'package-lock.json'), join(folder, 'package-lock.json'));
writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module', dependencies }));

const npmCli = process.env.npm_execpath;
const [command, ...start] = npmCli && npmCli.endsWith('npm-cli.js') ? [process.execPath, npmCli] : ['npm'];
const args = [
  'install',
  '--no-save',
  '--ignore-scripts',
  '--no-audit',
  '--no-fund',
  '--no-progress',
  '--loglevel=error',
  '--prefer-offline',
];
const child = spawn(command, start.concat(args), { cwd: folder, stdio: 'inherit' });
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill('SIGKILL'));
child.once('error', (error) => {
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
});
child.once('close', (code) => process.exit(code === null ? 1 : code));

function readJson(...path) {
  return JSON.parse(readFileSync(join(root, ...path), 'utf8'));
}
