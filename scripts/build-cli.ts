import { copyFile, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { argv } from 'node:process';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'vite';
import { readApiCatalogs } from '../src/messages/api-catalogs.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * Builds the merchant's command line as one file without dependencies. Node does not strip types of files in `node_modules`, so the
 * package cannot contain `cli/main.ts` itself.
 */
export async function buildCli(): Promise<string> {
  const target = join(root, 'cli', 'dist');
  await rm(target, { recursive: true, force: true });
  await mkdir(target, { recursive: true });
  await build({
    root,
    configFile: false,
    logLevel: 'warn',
    plugins: [withCatalogs()],
    publicDir: false,
    ssr: { noExternal: true },
    build: {
      ssr: 'cli/main.ts',
      outDir: target,
      target: 'node20.19',
      minify: false,
      rolldownOptions: { output: { entryFileNames: 'tributary.js', codeSplitting: false } },
    },
  });
  await copyFile(join(root, 'LICENSE'), join(target, 'LICENSE'));
  return target;
}

/** The package contains no other files, so the texts become part of the program. */
function withCatalogs(): Plugin {
  return {
    name: 'api-catalogs',
    load: (id) =>
      id.endsWith('/src/messages/api-catalogs.ts') ? `export const readApiCatalogs = () => ${JSON.stringify(readApiCatalogs())};` : null,
  };
}

if (argv[1] === fileURLToPath(import.meta.url)) await buildCli();
