/*
 * `npm run test:medusa`: installs Medusa, builds and installs the plugin, builds Medusa's dashboard, and runs the test of a shop. It needs
 * the npm registry, so it is not a part of `npm test`.
 */
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { medusa, packPlugin, shop } from './build-medusa.ts';
import { step } from './plugin-shop.ts';

await shop.install();
step('Medusa is installed; building the plugin');
const plugin = await packPlugin();
step('the plugin is built; installing it');
await shop.add(plugin);
step('the plugin is installed; building the dashboard of Medusa');
await medusa(['build'], shop.folder);
cpSync(join(shop.folder, '.medusa', 'server', 'public'), join(shop.folder, 'public'), { recursive: true });
step('running the shop');
shop.test('test/packages/medusa-shop.test.ts');
