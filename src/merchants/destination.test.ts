import { expect, test } from 'vitest';
import { readDestination } from './destination.ts';
import { addressLengthMax, readSite } from './site.ts';

const shop = 'https://shop.example';

test.each<[text: string, href: string]>([
  ['https://shop.example', 'https://shop.example/'],
  ['https://shop.example/sale?size=m&x=%20#top', 'https://shop.example/sale?size=m&x=%20#top'],
  ['https://www.shop.example/', 'https://www.shop.example/'],
  ['https://de.eu.shop.example/', 'https://de.eu.shop.example/'],
  ['HTTPS://SHOP.EXAMPLE/Sale', 'https://shop.example/Sale'],
  ['https://shop.example:443/', 'https://shop.example/'],
  ['https://shop.example/über', 'https://shop.example/%C3%BCber'],
  ['https://shop.example/a/../b', 'https://shop.example/b'],
  ['https://shop.example?at=//evil.example', 'https://shop.example/?at=//evil.example'],
  ['https://shop.example/@evil.example', 'https://shop.example/@evil.example'],
  // Read as a browser reads it: what is kept is the host that it means.
  ['https://ｓｈｏｐ.example/', 'https://shop.example/'],
  ['https://shop%2eexample/', 'https://shop.example/'],
])('%j leads into the shop, and is kept as %j', (text, href) => {
  const read = readDestination(text, shop);
  expect(read.is === 'good' ? read.href : '').toBe(href);
});

const hostile: readonly string[] = [
  '',
  '//evil.example',
  '///evil.example',
  String.raw`\\evil.example`,
  String.raw`https:\\evil.example`,
  String.raw`https://evil.example\@shop.example`,
  String.raw`https://shop.example\@evil.example`,
  String.raw`https://shop.example\.evil.example`,
  'https:evil.example',
  'https:/evil.example',
  'https:///evil.example',
  'https:shop.example',
  'https:///shop.example',
  '/sale',
  'shop.example/sale',
  'https://',
  'https://?shop.example',
  'http://shop.example',
  'ftp://shop.example/',
  'javascript://shop.example/%0aalert(1)',
  'data:text/html,https://shop.example',
  'file:///etc/passwd',
  'blob:https://shop.example/1',
  'view-source:https://shop.example',
  'https://user@shop.example',
  'https://user:password@shop.example',
  'https://@shop.example',
  'https://shop.example@evil.example',
  'https://shop.example:x@evil.example',
  'https://shop.example%40evil.example',
  'https://evil.example',
  'https://evil.example/shop.example',
  'https://evil.example?shop.example',
  'https://evil.example#shop.example',
  'https://shop.example.evil.example',
  'https://evilshop.example',
  'https://shop.example-evil.example',
  'https://example',
  'https://hop.example',
  'https://shop.exampl',
  'https://shop.example.',
  'https://www.shop.example.',
  'https://.shop.example',
  'https://a..shop.example',
  'https://shop.example,evil.example',
  'https://shop.example;evil.example',
  'https://shop.example%2eevil.example',
  'https://shop.example%2f',
  'https://shop.example%00.evil.example',
  'https://shop.example%09',
  'https://ѕhop.example', // a Cyrillic letter
  'https://xn--hop-ixd.example',
  'https://shop.example\u3002evil.example',
  'https://shop\u00ad.example', // a hyphen that nobody sees
  'https://shop\u200b.example',
  'https://\u202eelpmaxe.pohs',
  'https://shop.example/\r\nLocation: https://evil.example',
  'https://shop.example/\nx',
  'https://sh\top.example',
  'ht\ntps://shop.example',
  ' https://shop.example',
  'https://shop.example ',
  'https://shop.example/a b',
  'https://shop.example/\u00a0',
  'https://shop.example/\u2028',
  'https://shop.example/\u0000',
  'https://shop.example/\ud800',
  'https://shop.example/\u007f',
  '\ufeffhttps://shop.example',
  'https://shop.example:8443',
  'https://shop.example:80',
  'https://shop.example:0',
  'https://shop.example:65536',
  'https://shop.example:evil',
  'https://127.0.0.1',
  'https://2130706433',
  'https://0x7f.1',
  'https://[::1]',
  'https://[::ffff:127.0.0.1]',
  'https://[shop.example]',
  'https://localhost',
  `https://shop.example/${'a'.repeat(addressLengthMax)}`,
  `https://shop.example/${'ü'.repeat(addressLengthMax / 4)}`, // too long once it is encoded
];

test.each(hostile.map((text) => [text]))('%j leads nowhere', (text) => {
  expect(readDestination(text, shop).is).toBe('wrong');
});

test.each<[site: string, text: string, is: 'good' | 'wrong', why: string]>([
  ['https://www.shop.example', 'https://shop.example/', 'good', 'a leading www. of the site is ignored'],
  ['https://www.shop.example', 'https://de.shop.example/', 'good', 'so its sister hosts are the shop’s too'],
  ['https://de.shop.example', 'https://shop.example/', 'wrong', 'what lies above the host is not the shop’s'],
  ['https://de.shop.example', 'https://fr.shop.example/', 'wrong', 'what lies beside it neither'],
  ['https://shop.example/store', 'https://shop.example/', 'good', 'the site’s path does not bind'],
  ['http://shop.example', 'http://shop.example/', 'good', 'plain where the site is plain'],
  ['http://shop.example', 'https://shop.example/', 'good', 'better than the site is allowed'],
  ['https://shop.example:8443', 'https://shop.example:8443/', 'good', 'the site’s own port'],
  ['https://shop.example:8443', 'https://shop.example/', 'good', 'the usual port'],
  ['https://shop.example:8443', 'https://shop.example:8444/', 'wrong', 'another port'],
  ['http://localhost:3001', 'http://localhost:3001/cart', 'good', 'a shop on this machine'],
  ['http://localhost:3001', 'http://evil.localhost:3001/', 'wrong', 'a name of one label owns nothing below it'],
  ['http://127.0.0.1:3001', 'http://127.0.0.1:3001/', 'good', 'an address in numbers'],
  ['http://[::1]:3001', 'http://[::1]:3001/', 'good', 'and one of the newer kind'],
  ['https://com', 'https://evil.com/', 'wrong', 'a top level is nobody’s'],
  ['https://www.com', 'https://evil.com/', 'wrong', 'and www. before it does not make it somebody’s'],
  ['https://www.com', 'https://www.com/', 'good', 'though the host itself is'],
  ['https://co.uk', 'https://evil.co.uk/', 'wrong', 'nor is a country’s second level'],
  ['https://www.co.uk', 'https://evil.co.uk/', 'wrong', 'with www. neither'],
  ['https://shop.co.uk', 'https://de.shop.co.uk/', 'good', 'a shop below it is'],
  ['https://abc.de', 'https://www.abc.de/', 'good', 'short names are names'],
  ['https://bücher.example', 'https://xn--bcher-kva.example/', 'good', 'one host in two spellings'],
])('a site at %s: %s is %s (%s)', (site, text, is) => {
  const read = readSite(site);
  expect(read.is === 'good' && readDestination(text, read.siteUrl).is).toBe(is);
});
