import { readFileSync, writeFileSync } from 'node:fs';
import { argv } from 'node:process';
import { fileURLToPath } from 'node:url';
import { minify } from 'terser';
import { invariant } from '../src/core/invariant.ts';

const source = new URL('../src/capture/v1.js', import.meta.url);
const target = new URL('../src/capture/v1.min.js', import.meta.url);

/**
 * Writes the bytes that stores load, from the readable source. The result is checked in, because pages of stores contain its hash
 * (subresource integrity): neither an upgrade of terser nor the machine that starts the server may change it.
 */
export async function buildCapture(): Promise<string> {
  const { code } = await minify(readFileSync(source, 'utf8'), {
    ecma: 5,
    mangle: true,
    compress: { ecma: 5, passes: 3 },
    format: { ecma: 5 },
  });
  invariant(code, 'terser returns code or throws');
  return `${code}\n`;
}

if (argv[1] === fileURLToPath(import.meta.url)) writeFileSync(target, await buildCapture());
