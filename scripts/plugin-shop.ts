import { execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { env, execPath, stdout } from 'node:process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { buildSdk } from './build-sdk.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const installMsMax = 900_000;
const buildMsMax = 600_000;
const testMsMax = 1_200_000;
const outputBytesMax = 64 * 1024 * 1024;

export type PluginShop = {
  /** Where the packages of the engine are installed: they are larger than all of this project. */
  readonly folder: string;
  /** Installs the packages of the test shop, exactly as its lock file names them. */
  readonly install: () => Promise<void>;
  /** Compiles a copy of the plugin below the folder, with the Node package, and packs it. Returns the path of the package. */
  readonly pack: (compile: (folder: string) => Promise<void>) => Promise<string>;
  /** Installs the packed plugin in the folder. */
  readonly add: (plugin: string) => Promise<void>;
  readonly run: (command: string, words: readonly string[], cwd: string) => Promise<void>;
  /** Runs a test file with the folder in the environment. */
  readonly test: (file: string) => void;
};

type Options = {
  /** Of the folder in `packages`. */
  readonly name: string;
  readonly settings?: Readonly<Record<string, string>>;
  readonly npmOptions?: readonly string[];
};

/** The test shop of a plugin. `<NAME>_FOLDER` in the environment replaces its folder. */
export function pluginShop({ name, settings = {}, npmOptions = [] }: Options): PluginShop {
  const source = join(root, 'packages', name);
  const variable = `${name.toUpperCase()}_FOLDER`;
  const folder = env[variable] ?? join(homedir(), '.cache', 'tributary', `${name}-shop`);
  const environment = { ...env, ...settings };
  const npm = (words: readonly string[], cwd: string, timeout: number) =>
    run('npm', [...words, '--no-audit', '--no-fund', ...npmOptions], { cwd, timeout, environment });
  return {
    folder,
    async install() {
      mkdirSync(folder, { recursive: true });
      const shop = join(source, 'test-shop');
      const hash = createHash('sha256')
        .update(readFileSync(join(shop, 'package-lock.json')))
        .digest('hex');
      const mark = join(folder, 'installed');
      const isInstalled = existsSync(mark) && readFileSync(mark, 'utf8') === hash;
      rmSync(join(folder, 'src'), { recursive: true, force: true });
      cpSync(shop, folder, { recursive: true });
      if (isInstalled) return;
      say(`Installing ${name} in ${folder}. This takes a few minutes…`);
      rmSync(mark, { force: true });
      await npm(['ci'], folder, installMsMax);
      writeFileSync(mark, hash);
    },
    async pack(compile) {
      const copy = join(folder, 'plugin');
      const sdk = join(copy, 'node_modules', '@tributary', 'node');
      rmSync(copy, { recursive: true, force: true });
      cpSync(source, copy, { recursive: true, filter: (path) => !path.startsWith(join(source, 'test-shop')) });
      copyFileSync(join(root, 'LICENSE'), join(copy, 'LICENSE'));
      mkdirSync(sdk, { recursive: true });
      await buildSdk(join(sdk, 'dist'));
      copyFileSync(join(root, 'sdk', 'package.json'), join(sdk, 'package.json'));
      await compile(copy);
      const target = join(root, 'dist');
      mkdirSync(target, { recursive: true });
      await npm(['pack', '--pack-destination', target], copy, buildMsMax);
      const { version } = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8')) as { readonly version: string };
      return join(target, `tributary-${name}-${version}.tgz`);
    },
    async add(plugin) {
      await npm(['install', '--no-save', '--prefer-offline', plugin], folder, installMsMax);
      rmSync(join(folder, 'plugin'), { recursive: true, force: true });
    },
    run: (command, words, cwd) => run(command, words, { cwd, timeout: buildMsMax, environment }),
    test(file) {
      const vitest = [join(root, 'node_modules', 'vitest', 'vitest.mjs'), 'run', file, '--reporter=verbose', '--testTimeout=300000'];
      const own = { [variable]: folder, [`${name.toUpperCase()}_SHOP`]: '1' };
      const child = spawn(execPath, vitest, { cwd: root, stdio: 'inherit', env: { ...env, ...own } });
      const timer = setTimeout(() => child.kill(), testMsMax);
      child.once('exit', (code) => {
        clearTimeout(timer);
        step(code === 0 ? 'done' : 'failed');
        process.exitCode = code ?? 1;
      });
    },
  };
}

type Where = { readonly cwd: string; readonly timeout: number; readonly environment: NodeJS.ProcessEnv };

async function run(command: string, words: readonly string[], { cwd, timeout, environment }: Where): Promise<void> {
  try {
    await promisify(execFile)(command, [...words], { cwd, timeout, env: environment, maxBuffer: outputBytesMax });
  } catch (error) {
    // Compilers print their errors to stdout.
    const { stdout: printed = '', stderr = '' } = error as { readonly stdout?: string; readonly stderr?: string };
    throw new Error(`${command} ${words.join(' ')} failed:\n${printed}${stderr}`, { cause: error });
  }
}

const startedAt = Date.now();
export const say = (line: string): void => void stdout.write(`${line}\n`);
export const step = (line: string): void => say(`${String(Math.round((Date.now() - startedAt) / 1_000)).padStart(4)} s  ${line}`);
