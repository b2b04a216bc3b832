import { promisify } from 'node:util';
import { crc32, deflate } from 'node:zlib';
import type { Coverage } from './fill-outlines.ts';

const signature = Buffer.from('89504e470d0a1a0a', 'hex');
const shades = 256;
/** In the header: eight bits per pixel, each an index into the palette; the usual compression and filters; not interlaced. */
const format = [8, 3, 0, 0, 0];

type Colors = { readonly background: readonly number[]; readonly ink: readonly number[] };

/** A PNG in two colors and the shades between them. The compression runs on another thread. */
export async function encodePng({ width, height, shares }: Coverage, { background, ink }: Colors): Promise<Buffer> {
  const header = Buffer.alloc(8);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  const palette = Array.from({ length: shades }, (_none, shade) =>
    background.map((from, channel) => Math.round(from + (((ink[channel] ?? 0) - from) * shade) / (shades - 1))),
  );
  // Each row begins with its filter, which is none.
  const rows = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) rows[y * (width + 1) + 1 + x] = Math.round((shares[y * width + x] ?? 0) * (shades - 1));
  return Buffer.concat([
    signature,
    chunk('IHDR', Buffer.concat([header, Buffer.from(format)])),
    chunk('PLTE', Buffer.from(palette.flat())),
    chunk('IDAT', await promisify(deflate)(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(name: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name), content]);
  const framed = Buffer.alloc(named.length + 8);
  framed.writeUInt32BE(content.length, 0);
  named.copy(framed, 4);
  framed.writeUInt32BE(crc32(named), named.length + 4);
  return framed;
}
