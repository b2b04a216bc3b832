import { inflateRawSync, crc32 } from 'node:zlib';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { pluginFiles, zip } from '../../scripts/build-woocommerce.ts';

/** Reads a zip file from its directory, as WordPress does. */
function unzip(bytes: Buffer): ReadonlyMap<string, Buffer> {
  const end = bytes.lastIndexOf('PK\x05\x06', undefined, 'latin1');
  const files = new Map<string, Buffer>();
  let at = bytes.readUInt32LE(end + 16);
  for (let left = bytes.readUInt16LE(end + 10); left > 0; left -= 1) {
    const nameLength = bytes.readUInt16LE(at + 28);
    const path = bytes.toString('utf8', at + 46, at + 46 + nameLength);
    const local = bytes.readUInt32LE(at + 42);
    const start = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28);
    const content = inflateRawSync(bytes.subarray(start, start + bytes.readUInt32LE(at + 20)));
    expect(crc32(content)).toBe(bytes.readUInt32LE(at + 16));
    expect(content).toHaveLength(bytes.readUInt32LE(at + 24));
    files.set(path, content);
    at += 46 + nameLength;
  }
  expect(at).toBe(end);
  return files;
}

test('the zip for WordPress contains the plugin and the PHP client, and is the same in every build', () => {
  const bytes = zip(pluginFiles());
  expect(zip(pluginFiles()).equals(bytes)).toBe(true);
  const files = unzip(bytes);
  const main = files.get('tributary-for-woocommerce/tributary-for-woocommerce.php')?.toString('utf8') ?? '';
  expect(main).toBe(readFileSync('packages/woocommerce/tributary-for-woocommerce.php', 'utf8'));
  const classes = [...(/foreach \( array\((.+)\) as/.exec(main)?.[1] ?? '').matchAll(/'([a-z-]+)'/g)].map(
    ([, name]) => `includes/class-${name}.php`,
  );
  expect(classes.length).toBeGreaterThan(10);
  const others = ['lib/autoload.php', 'lib/src/Tributary.php', 'lib/src/Sender.php', 'uninstall.php', 'assets/consent.js', 'readme.txt'];
  const texts = ['CHANGELOG.md', 'languages/tributary-for-woocommerce.pot'];
  for (const name of [...classes, ...others, ...texts])
    expect([name, files.has(`tributary-for-woocommerce/${name}`)]).toEqual([name, true]);
  expect([...files.keys()].every((name) => name.startsWith('tributary-for-woocommerce/') && !name.includes('..'))).toBe(true);
});
