import { readFileSync, writeFileSync } from 'node:fs';
import { argv } from 'node:process';
import { fileURLToPath } from 'node:url';
import { minify } from 'terser';
import { must } from '../src/platform/must.ts';

const source = new URL('../src/capture/v1.js', import.meta.url);
const target = new URL('../src/capture/v1.min.js', import.meta.url);

/**
 * The bytes that shops load, from the source that people read. The result is checked in, because a hash of it stands in the
 * pages of shops (subresource integrity): neither an upgrade of terser nor the machine that starts the server may change it.
 */
export async function buildCapture(): Promise<string> {
  const { code } = await minify(readFileSync(source, 'utf8'), {
    ecma: 5,
    mangle: true,
    compress: { ecma: 5, passes: 3 },
    format: { ecma: 5 },
  });
  must(code, 'terser gives code or throws');
  return `${code}\n`;
}

if (argv[1] === fileURLToPath(import.meta.url)) writeFileSync(target, await buildCapture());
