/*
 * Builds the zip that WordPress installs: `npm run build:woocommerce`. It contains packages/woocommerce, and as lib/ the client of
 * packages/php. The same files always give the same bytes.
 */
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { stdout } from 'node:process';
import { crc32, deflateRawSync } from 'node:zlib';

const root = new URL('../', import.meta.url);
const plugin = 'tributary-for-woocommerce';

type Entry = { readonly name: string; readonly bytes: Buffer };

export function pluginFiles(): readonly Entry[] {
  const own = globSync(['*.php', '*.md', 'readme.txt', 'includes/*.php', 'assets/*.js', 'languages/*.pot'], {
    cwd: new URL('packages/woocommerce/', root),
  });
  const client = globSync(['autoload.php', 'src/*.php'], { cwd: new URL('packages/php/', root) });
  const read = (folder: string, into: string) => (name: string) => ({
    name: `${plugin}/${into}${name}`,
    bytes: readFileSync(new URL(folder + name, root)),
  });
  const license = { name: `${plugin}/LICENSE`, bytes: readFileSync(new URL('LICENSE', root)) };
  return [license, ...own.toSorted().map(read('packages/woocommerce/', '')), ...client.toSorted().map(read('packages/php/', 'lib/'))];
}

/** January 1, 1980: the earliest date of the format, so that the bytes do not depend on the time of the build. */
const date = 0x21;
const versionNeeded = 20;
const deflated = 8;

/** A zip file with one deflated entry per file (APPNOTE 6.3, without ZIP64 and without encryption). */
export function zip(entries: readonly Entry[]): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, bytes } of entries) {
    const path = Buffer.from(name, 'utf8');
    const data = deflateRawSync(bytes, { level: 9 });
    const shared = Buffer.alloc(26);
    shared.writeUInt16LE(versionNeeded, 0);
    shared.writeUInt16LE(deflated, 4);
    shared.writeUInt16LE(date, 8);
    shared.writeUInt32LE(crc32(bytes), 10);
    shared.writeUInt32LE(data.length, 14);
    shared.writeUInt32LE(bytes.length, 18);
    shared.writeUInt16LE(path.length, 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), shared, path, data]);
    const position = Buffer.alloc(14);
    position.writeUInt32LE(offset, 10);
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02', 'latin1'), Buffer.from([versionNeeded, 0]), shared, position, path]));
    locals.push(local);
    offset += local.length;
  }
  const end = Buffer.alloc(18);
  end.writeUInt16LE(entries.length, 4);
  end.writeUInt16LE(entries.length, 6);
  end.writeUInt32LE(Buffer.concat(directory).length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...locals, ...directory, Buffer.from('PK\x05\x06', 'latin1'), end]);
}

if (import.meta.main) {
  const file = new URL(`dist/${plugin}.zip`, root);
  mkdirSync(new URL('dist/', root), { recursive: true });
  writeFileSync(file, zip(pluginFiles()));
  stdout.write(`dist/${plugin}.zip\n`);
}
