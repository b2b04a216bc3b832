/*
 * Builds the package that a Vendure project installs: `npm run build:vendure`. It contains packages/vendure, compiled, and the Node
 * package. Vendure's packages are installed in a folder outside of this project.
 */
import { join } from 'node:path';
import { argv } from 'node:process';
import { fileURLToPath } from 'node:url';
import { pluginShop, say } from './plugin-shop.ts';

/** Set VENDURE_FOLDER to use another folder. */
export const shop = pluginShop({ name: 'vendure', npmOptions: ['--ignore-scripts'] });

/** Returns the path of the package. */
export const packPlugin = (): Promise<string> =>
  shop.pack((folder) => shop.run(join(shop.folder, 'node_modules', '.bin', 'tsc'), ['-p', '.'], folder));

if (argv[1] === fileURLToPath(import.meta.url)) {
  await shop.install();
  say(`Built ${await packPlugin()}`);
}
