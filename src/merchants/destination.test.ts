import { expect, test } from 'vitest';
import { readDestination } from './destination.ts';
import { addressLengthMax, readSite } from './site.ts';

const siteUrl = 'https://shop.example';

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
  // The parser normalizes the host as a browser does.
  ['https://ｓｈｏｐ.example/', 'https://shop.example/'],
  ['https://shop%2eexample/', 'https://shop.example/'],
])('accepts %j and stores it as %j', (text, href) => {
  const read = readDestination(text, siteUrl);
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
  'https://ѕhop.example', // a Cyrillic character
  'https://xn--hop-ixd.example',
  'https://shop.example\u3002evil.example',
  'https://shop\u00ad.example', // an invisible hyphen
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
  `https://shop.example/${'ü'.repeat(addressLengthMax / 4)}`, // too long after encoding
];

test.each(hostile.map((text) => [text]))('rejects the destination %j', (text) => {
  expect(readDestination(text, siteUrl).is).toBe('wrong');
});

test.each<[site: string, text: string, is: 'good' | 'wrong', why: string]>([
  ['https://www.shop.example', 'https://shop.example/', 'good', 'a leading www. of the site is ignored'],
  ['https://www.shop.example', 'https://de.shop.example/', 'good', 'subdomains of the host without www. belong to the store'],
  ['https://de.shop.example', 'https://shop.example/', 'wrong', 'the parent of the host does not belong to the store'],
  ['https://de.shop.example', 'https://fr.shop.example/', 'wrong', 'sibling hosts do not belong to the store'],
  ['https://shop.example/store', 'https://shop.example/', 'good', 'the path of the site does not restrict destinations'],
  ['http://shop.example', 'http://shop.example/', 'good', 'http is allowed if the site uses http'],
  ['http://shop.example', 'https://shop.example/', 'good', 'https is allowed if the site uses http'],
  ['https://shop.example:8443', 'https://shop.example:8443/', 'good', 'the site’s own port'],
  ['https://shop.example:8443', 'https://shop.example/', 'good', 'the default port'],
  ['https://shop.example:8443', 'https://shop.example:8444/', 'wrong', 'another port'],
  ['http://localhost:3001', 'http://localhost:3001/cart', 'good', 'a store on localhost'],
  ['http://localhost:3001', 'http://evil.localhost:3001/', 'wrong', 'a single-label host has no subdomains'],
  ['http://127.0.0.1:3001', 'http://127.0.0.1:3001/', 'good', 'an IPv4 address'],
  ['http://[::1]:3001', 'http://[::1]:3001/', 'good', 'an IPv6 address'],
  ['https://com', 'https://evil.com/', 'wrong', 'a top-level domain has no single owner'],
  ['https://www.com', 'https://evil.com/', 'wrong', 'a leading www. does not change that'],
  ['https://www.com', 'https://www.com/', 'good', 'the host itself belongs to the store'],
  ['https://co.uk', 'https://evil.co.uk/', 'wrong', 'a second-level public suffix has no single owner'],
  ['https://www.co.uk', 'https://evil.co.uk/', 'wrong', 'a leading www. does not change that either'],
  ['https://shop.co.uk', 'https://de.shop.co.uk/', 'good', 'a domain below a public suffix belongs to the store'],
  ['https://abc.de', 'https://www.abc.de/', 'good', 'short domains are valid'],
  ['https://bücher.example', 'https://xn--bcher-kva.example/', 'good', 'Unicode and ASCII forms are the same host'],
])('with the site %s, the destination %s is %s (%s)', (site, text, is) => {
  const read = readSite(site);
  expect(read.is === 'good' && readDestination(text, read.siteUrl).is).toBe(is);
});
