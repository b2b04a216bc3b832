import { expect, test } from 'vitest';
import { detectFileType, fileNameFor } from './asset-files.ts';

test.each([
  ['89504e470d0a1a0a0000', 'image/png'],
  ['ffd8ffe000104a464946', 'image/jpeg'],
  ['52494646240000005745425056503820', 'image/webp'],
  ['474946383961', 'image/gif'],
  ['474946383761', 'image/gif'],
  ['255044462d312e37', 'application/pdf'],
])('a file that starts with %s is %s', (hex, type) => {
  expect(detectFileType(Buffer.from(hex, 'hex'))).toBe(type);
});

test.each([
  ['SVG', '<svg xmlns="http://www.w3.org/2000/svg"/>'],
  ['HTML', '<!doctype html><script>alert(1)</script>'],
  ['HTML before a PDF', '<html>%PDF-1.7'],
  ['a WAV file', 'RIFF\u0024\u0000\u0000\u0000WAVEfmt '],
  ['a zip archive', 'PK\u0003\u0004'],
  ['a shortened signature', '\u0089PNG'],
  ['no bytes', ''],
])('%s is no known type', (_what, content) => {
  expect(detectFileType(Buffer.from(content, 'latin1'))).toBeNull();
});

test.each([
  ['logo.png', 'image/png', 'logo.png'],
  ['Logo.JPEG', 'image/jpeg', 'Logo.jpg'],
  ['logo.png', 'image/webp', 'logo.webp'],
  ['page.html', 'image/gif', 'page.html.gif'],
  ['../../etc/passwd', 'application/pdf', 'etc-passwd.pdf'],
  ['C:\\Users\\me\\plan.pdf', 'application/pdf', 'C-Users-me-plan.pdf'],
  ['a"; filename="b.png', 'image/png', 'a- filename=-b.png'],
  ['...', 'image/png', 'file.png'],
  ['.png', 'image/png', 'file.png'],
  ['Größe 😀.png', 'image/png', 'Größe 😀.png'],
] as const)('%s of type %s is named %s', (name, type, expected) => {
  expect(fileNameFor(name, type)).toBe(expected);
});

test('a name is shortened without splitting a character', () => {
  expect(fileNameFor('😀'.repeat(150), 'image/png')).toBe(`${'😀'.repeat(100)}.png`);
});
