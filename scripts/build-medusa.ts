/*
 * Builds the package that a Medusa project installs: `npm run build:medusa`. It contains packages/medusa, compiled by Medusa's command, and
 * the Node package. Medusa's packages are installed in a folder outside of this project, because they are larger than all of it.
 */
import { join } from 'node:path';
import { argv, execPath } from 'node:process';
import { fileURLToPath } from 'node:url';
import { pluginShop, say } from './plugin-shop.ts';

/** NODE_ENV keeps Medusa's command from looking for a TypeScript loader. Set MEDUSA_FOLDER to use another folder. */
export const shop = pluginShop({ name: 'medusa', settings: { NODE_ENV: 'production', MEDUSA_DISABLE_TELEMETRY: 'true' } });

/** Returns the path of the package. */
export const packPlugin = (): Promise<string> =>
  shop.pack(async (folder) => {
    await medusa(['plugin:build'], folder);
    await shop.run(join(shop.folder, 'node_modules', '.bin', 'tsc'), ['-p', 'src/admin'], folder);
  });

/** Runs Medusa's command in a folder of the test shop. */
export const medusa = (words: readonly string[], cwd: string): Promise<void> =>
  shop.run(execPath, [join(shop.folder, 'node_modules', '@medusajs', 'cli', 'cli.js'), ...words], cwd);

if (argv[1] === fileURLToPath(import.meta.url)) {
  await shop.install();
  say(`Built ${await packPlugin()}`);
}
