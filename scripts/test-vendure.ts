/*
 * `npm run test:vendure`: installs Vendure, builds and installs the plugin, and runs the test of a shop. It needs the npm registry, so it
 * is not a part of `npm test`.
 */
import { packPlugin, shop } from './build-vendure.ts';
import { step } from './plugin-shop.ts';

await shop.install();
step('Vendure is installed; building the plugin');
const plugin = await packPlugin();
step('the plugin is built; installing it');
await shop.add(plugin);
step('running the shop');
shop.test('test/packages/vendure-shop.test.ts');
