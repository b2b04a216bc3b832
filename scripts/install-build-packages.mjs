/*
 * Installs the packages that build the service and the dashboards, in a folder of their own: `node scripts/install-build-packages.mjs <folder>`.
 * They are development packages, which an install for the service alone leaves out. It runs on the system's Node (14.14 or newer).
 */
import { spawn } from 'child_process';
import { rmSync } from 'fs';
import { dirname, join } from 'path';
import { fileURLToPath } from 'url';
import { buildArchives, prepareFolder } from './build-packages.mjs';
import { unpackArchives } from './install-from-cache.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const folder = process.argv[2];
const cache = process.env.npm_config_cache;

const archives = cache === undefined ? null : buildArchives({ root, folder, cache });
prepareFolder({ root, folder });
if (archives === null) installByNpm();
else
  unpackArchives(archives).catch((error) => {
    process.stderr.write(`npm installs the packages of the build, because ${error.message}\n`);
    rmSync(join(folder, 'node_modules'), { recursive: true, force: true });
    installByNpm();
  });

function installByNpm() {
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
}
