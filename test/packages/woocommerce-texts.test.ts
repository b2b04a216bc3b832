import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { pot, potFile, textsOf } from '../../scripts/write-woocommerce-pot.ts';

const read = (name: string): string => readFileSync(`packages/woocommerce/${name}`, 'utf8');

test('the template for translations of the WooCommerce plugin contains its texts', () => {
  expect(readFileSync(potFile, 'utf8'), 'run npm run woocommerce-pot').toBe(pot());
});

test('a text that translators could not translate fails the template', () => {
  const domain = "'tributary-for-woocommerce' )";
  expect(textsOf('one.php', `__( 'It\\'s on', ${domain};`)).toEqual([{ text: "It's on", comment: null, places: ['one.php:1'] }]);
  const commented = `/* translators: %s: name */\nesc_html__( 'Hello %s', ${domain};`;
  expect(textsOf('one.php', commented)).toEqual([{ text: 'Hello %s', comment: '%s: name', places: ['one.php:2'] }]);
  for (const source of [
    `__( $text, ${domain}`,
    "__( 'No domain' )",
    `__( "Quoted", ${domain}`,
    `_n( 'one', 'two', 2, ${domain}`,
    `__( '%d orders', ${domain}`,
  ])
    expect(() => textsOf('one.php', source), source).toThrow(/one\.php/);
});

test('the plugin for WooCommerce has one version and one set of requirements', () => {
  const main = read('tributary-for-woocommerce.php');
  const readme = read('readme.txt');
  const version = /^ \* Version: (.+)$/m.exec(main)?.[1] ?? '';
  expect(version).toMatch(/^\d+\.\d+\.\d+$/);
  expect(main).toContain(`const VERSION = '${version}';`);
  expect(readme).toContain(`Stable tag: ${version}\n`);
  expect(read('CHANGELOG.md')).toContain(`## ${version}\n`);
  for (const header of ['Requires at least', 'Requires PHP', 'License', 'License URI']) {
    const line = new RegExp(`^ \\* (${header}: .+)$`, 'm').exec(main)?.[1] ?? header;
    expect(readme).toContain(`${line}\n`);
  }
});
