/*
 * `npm run test:vendure`: installs Vendure, builds and installs the plugin, builds Vendure's dashboard, and runs the test of a shop. It
 * needs the npm registry, so it is not a part of `npm test`.
 */
import { join } from 'node:path';
import { execPath } from 'node:process';
import { packPlugin, shop } from './build-vendure.ts';
import { step } from './plugin-shop.ts';

await shop.install();
step('Vendure is installed; building the plugin');
const plugin = await packPlugin();
step('the plugin is built; installing it');
await shop.add(plugin);
step('the plugin is installed; building the dashboard of Vendure');
await shop.run(execPath, [join(shop.folder, 'node_modules', 'vite', 'bin', 'vite.js'), 'build'], shop.folder);
step('running the shop');
shop.test('test/packages/vendure-shop.test.ts');
