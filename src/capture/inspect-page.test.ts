import { describe, expect, test } from 'vitest';
import { inspectPage, findLostClick, type FetchedPage } from './inspect-page.ts';

const base = 'https://partners.example';
const src = `${base}/api/pn/sdk/v1.js`;
const tag = `<script src="${src}" defer></script>`;
const inHead = (inside: string) => `<!doctype html><html><head><title>A <b>store</title>${inside}</head><body><p>Hello</body></html>`;
const inspect = (html: string, page: Partial<FetchedPage> = {}) =>
  inspectPage(
    { url: 'https://shop.example/', status: 200, headers: { 'content-type': 'text/html; charset=utf-8' }, html, isCut: false, ...page },
    base,
  );
const codes = (...given: Parameters<typeof inspect>) => inspect(...given).findings.map(({ code }) => code);

test('finds the tag of the setup page without findings', () => {
  expect(inspect(inHead(tag))).toEqual({
    tag: { src, isInHead: true, loads: 'defer', consentMode: 'granted', maxAgeDays: 30, attributes: { src, defer: '' } },
    isWorking: true,
    findings: [],
  });
});

test.each([
  ['in single quotes, in capitals, over several lines', `<SCRIPT\n  SRC='${src}'\n  DEFER\n></SCRIPT>`],
  ['without quotes', `<script defer src=${src}></script>`],
  ['after a script that speaks of tags', `<script>document.write("</head><body>")</script>${tag}`],
  ['its immutable copy', `<script defer src="${base}/api/pn/sdk/v1.Ab_3-x.js"></script>`],
  ['after an apostrophe that opens nothing', `<meta name=it's content=x>${tag}`],
  ['without a scheme', `<script defer src="//partners.example/api/pn/sdk/v1.js"></script>`],
  ['as a module', `<script type="module" src="${src}"></script>`],
  ['by a base', `<base href="${base}/api/"><script defer src="pn/sdk/v1.js"></script>`],
])('finds the tag %s', (_how, html) =>
  expect(inspect(inHead(html))).toMatchObject({ tag: { isInHead: true, loads: 'defer' }, findings: [] }),
);

test.each([
  ['in a comment', `<!-- ${tag} -->`],
  ['in a comment that never ends', `<!-- ${tag}`],
  ['in the text of another script', `<script>const a = '<script src="${src}">';</script>`],
  ['in a template', `<template>${tag}</template>`],
  ['for browsers without scripts', `<noscript>${tag}</noscript>`],
  ['as the text of an attribute', `<meta content='${tag}'>`],
  ['with another path', `<script src="${base}/api/pn/sdk/v2.js"></script>`],
  ['not at all', ''],
])('does not find the tag %s', (_where, html) =>
  expect(inspect(inHead(html))).toMatchObject({ tag: null, isWorking: false, findings: [{ code: 'tag_missing' }] }),
);

test('reports a tag of another service and a tag manager', () => {
  expect(codes(inHead('<script defer src="http://localhost:3000/api/pn/sdk/v1.js"></script>'))).toEqual(['tag_elsewhere']);
  expect(codes(inHead(`<script>(function(w,d,s,l,i){})(window,document,'script','dataLayer','GTM-ABC123');</script>`))).toEqual([
    'tag_of_tag_manager',
  ]);
});

test('where the head ends counts, not where it is closed', () => {
  expect(inspect(`<html><head></head><body>${tag}`)).toMatchObject({
    isWorking: true,
    tag: { isInHead: false },
    findings: [{ code: 'not_in_head' }],
  });
  expect(codes(`<html><head><div>${tag}</div></head>`)).toEqual(['not_in_head']);
  expect(codes(`<meta charset=utf-8>${tag}<p>`)).toEqual([]);
});

test.each<readonly [string, string, readonly string[], object]>([
  ['explicit consent', 'data-rm-consent-mode=" Explicit "', [], { consentMode: 'explicit' }],
  ['an unknown consent mode', 'data-rm-consent-mode="ask"', ['consent_mode_wrong'], { consentMode: 'explicit' }],
  ['a life', 'data-rm-max-age-days="7"', [], { maxAgeDays: 7 }],
  ['a life that is none', 'data-rm-max-age-days="400"', ['max_age_wrong'], { maxAgeDays: 30 }],
  ['a type that consent managers write', 'type="text/plain"', ['tag_blocked_until_consent'], {}],
])('reads %s like the script', (_what, attributes, found, settings) => {
  const inspection = inspect(inHead(`<script defer ${attributes} src="${src}"></script>`));
  expect([inspection.findings.map(({ code }) => code), inspection.tag]).toMatchObject([found, settings]);
});

test('reads settings in the URL too, and the stricter one wins', () => {
  const html = `<script defer data-rm-max-age-days="90" src="${src}?consent-mode=explicit&amp;max-age-days=7"></script>`;
  expect(inspect(inHead(html)).tag).toMatchObject({ consentMode: 'explicit', maxAgeDays: 7 });
});

test('warns of a tag that blocks the page or is repeated', () => {
  expect(inspect(inHead(`<script src="${src}"></script>${tag}`))).toMatchObject({
    isWorking: true,
    findings: [{ code: 'tag_twice' }, { code: 'not_deferred' }],
  });
});

test('reports an error for a tag that browsers do not load', () => {
  expect(inspect(inHead(tag), { status: 404 }).isWorking).toBe(false);
  expect(codes(inHead(tag), { headers: { 'content-type': 'application/json' } })).toEqual(['not_html']);
  expect(codes(inHead(`<script defer integrity="sha384-abc" src="${src}"></script>`))).toEqual(['integrity_without_crossorigin']);
  expect(codes(inHead(`<script defer integrity="sha384-abc" crossorigin src="${src}"></script>`))).toEqual([]);
  expect(codes(inHead(`<script type=" Module" integrity="sha384-abc" src="${src}"></script>`))).toEqual([]);
  const plain = inspectPage(
    {
      url: 'https://shop.example/',
      status: 200,
      headers: { 'content-type': 'text/html' },
      html: inHead(tag.replace('https', 'http')),
      isCut: false,
    },
    'http://partners.example',
  );
  expect(plain.findings.map(({ code }) => code)).toEqual(['plain_http']);
});

describe('the Content-Security-Policy', () => {
  const html = inHead(`<script defer nonce="n1" integrity="sha384-abc" crossorigin src="${src}"></script>`);
  const under = (policy: string) =>
    inspect(html, { headers: { 'content-type': 'text/html', 'content-security-policy': policy } }).isWorking;

  test.each([
    '',
    "img-src 'none'",
    'script-src *',
    'script-src https:',
    'script-src http:',
    'script-src partners.example',
    'script-src https://partners.example',
    'script-src https://partners.example:443',
    'script-src https://partners.example:*',
    'script-src *.example',
    'script-src partners.example/api/pn/sdk/v1.js',
    'script-src partners.example/api/pn/',
    "script-src 'nonce-n1'",
    "script-src 'nonce-n1' 'strict-dynamic'",
    "script-src 'sha384-abc'",
    "default-src 'none'; script-src partners.example",
    "script-src 'none'; script-src-elem partners.example",
    "script-src partners.example; script-src 'none'",
    'SCRIPT-SRC PARTNERS.EXAMPLE',
  ])('"%s" lets the script load', (policy) => expect(under(policy)).toBe(true));

  test.each([
    "script-src 'none'",
    'script-src',
    "script-src 'self'",
    "default-src 'self'",
    'script-src other.example',
    'script-src *.partners.example',
    'script-src partners.example:8443',
    'script-src partners.example/other/',
    'script-src partners.example/api/pn/sdk/v1',
    "script-src 'nonce-n2'",
    "script-src 'strict-dynamic' partners.example",
    "script-src 'sha384-other'",
    "script-src partners.example; script-src-elem 'self'",
    "script-src partners.example, script-src 'self'",
  ])('"%s" does not', (policy) => expect(under(policy)).toBe(false));

  test('in the page concerns what comes after it', () => {
    const meta = `<meta http-equiv="content-security-policy" content="script-src 'self'">`;
    expect(codes(inHead(meta + tag))).toEqual(['blocked_by_policy']);
    expect(codes(inHead(tag + meta))).toEqual([]);
  });

  test('that only reports blocks nothing', () => {
    const headers = { 'content-type': 'text/html', 'content-security-policy-report-only': "script-src 'none'" };
    expect(inspect(inHead(tag), { headers }).isWorking).toBe(true);
  });
});

test('names the redirect that loses the click', () => {
  const way = ['https://shop.example/?rm_click=c', 'https://www.shop.example/?utm=1&rm_click=c', 'https://www.shop.example/en/'];
  expect(findLostClick(way, 'c')).toBe('https://www.shop.example/en/');
  expect(findLostClick(way.slice(0, 2), 'c')).toBeNull();
});

test('reads a page of unfinished tags in linear time', () => {
  const startedMs = performance.now();
  for (const text of ['<', '<a ', '<!--', '<script>', '<a b="', `<a b='c" `, '<a b=c ', '<a  =']) inspect(text.repeat(50_000));
  expect(performance.now() - startedMs).toBeLessThan(20_000);
});
