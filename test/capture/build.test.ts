import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { buildCapture } from '../../scripts/build-capture.ts';
import { captureScript } from '../../src/capture/serve.ts';

const source = readFileSync(new URL('../../src/capture/v1.js', import.meta.url), 'utf8');
const served = captureScript().content.bytes.toString('utf8');

test('the served bytes are built from the source: run node scripts/build-capture.ts after a change', async () => {
  expect(await buildCapture()).toBe(served);
});

test('the source and the served bytes contain no syntax newer than ES5, so that old browsers parse them', () => {
  const newer = /=>|`|\?\.|\?\?|\.\.\.|\*\*|\b(let|const|class|async|await|yield|import|export)\b|\bcatch\s*\{|\bfor\s*\([^)]*\bof\b/;
  const withoutComments = source.replace(/\/\*[^]*?\*\/|^\s*\/\/.*$/gm, '');
  expect(withoutComments).not.toMatch(newer);
  expect(served).not.toMatch(newer);
});

test('the served bytes are ASCII, so that no page reads them in a wrong encoding', () => {
  expect(served).toMatch(/^[\n\x20-\x7e]+$/);
});
