import { expect, test } from 'vitest';
import { readSite } from './site.ts';

test.each<[text: string, siteUrl: string]>([
  ['https://shop.example', 'https://shop.example'],
  ['https://Shop.Example/', 'https://shop.example'],
  ['https://shop.example:443//', 'https://shop.example'],
  ['https://shop.example/store/', 'https://shop.example/store'],
  ['https://shop.example/?utm=1#top', 'https://shop.example'],
  ['http://localhost:3001', 'http://localhost:3001'],
  ['https://bücher.example', 'https://xn--bcher-kva.example'],
])('stores the site %s as %s', (text, siteUrl) => {
  expect(readSite(text)).toEqual({ is: 'good', siteUrl });
});

test.each([
  ['shop.example'],
  ['//shop.example'],
  ['ftp://shop.example'],
  ['https://me@shop.example'],
  ['https://shop.example.'],
  ['https://'],
  ['https://a b'],
  [''],
])('rejects the site %j', (text) => {
  expect(readSite(text).is).toBe('wrong');
});
