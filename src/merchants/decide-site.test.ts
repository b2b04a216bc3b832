import { expect, test } from 'vitest';
import { decideSite, landingOriginsMax, movedLinksMax, type SiteFacts } from './decide-site.ts';

const at = (origin: string, count = 1, lengthMax = 100) => ({ origin, count, lengthMax });
const facts: SiteFacts = {
  current: 'https://shop.example',
  wanted: 'https://new.example',
  movesPages: false,
  programs: [at('https://shop.example', 2)],
  links: [at('https://shop.example', 3), at('https://blog.shop.example', 1), at('https://new.example', 9)],
};
const decide = (changed: Partial<SiteFacts>) => decideSite({ ...facts, ...changed });

test('rejects an invalid site before any other check', () => {
  const tooMany = Array.from({ length: landingOriginsMax + 1 }, (_, index) => at(`https://h${index}.example`));
  expect(decide({ wanted: 'ftp://new.example', links: tooMany })).toMatchObject({ do: 'refuse', reason: 'unprocessable' });
});

test('keeps the current site, however it is spelled', () => {
  expect(decide({ wanted: 'https://SHOP.example/' })).toEqual({ do: 'keep' });
});

test('rejects a change that leaves pages outside the new site, and reports their counts', () => {
  const refused = decide({});
  expect(refused).toMatchObject({ do: 'refuse', reason: 'conflict' });
  expect(refused.do === 'refuse' && refused.message).toContain('2 programs and 4 links are outside https://new.example');
});

test('changes to a site that covers every page without moving any', () => {
  expect(decide({ wanted: 'https://www.shop.example/us', links: [at('https://blog.shop.example')] })).toEqual({
    do: 'change',
    siteUrl: 'https://www.shop.example/us',
    moved: { from: [], to: 'https://www.shop.example', programs: 0, links: 0 },
  });
});

test('with the opt-in, moves only the outside pages to the origin of the new site', () => {
  expect(decide({ movesPages: true, wanted: 'https://www.new.example:8443/shop' })).toEqual({
    do: 'change',
    siteUrl: 'https://www.new.example:8443/shop',
    moved: { from: ['https://shop.example', 'https://blog.shop.example'], to: 'https://www.new.example:8443', programs: 2, links: 4 },
  });
});

test('treats pages with http or another port as outside an https site', () => {
  const pages = { programs: [], links: [at('http://shop.example'), at('https://shop.example:81')] };
  expect(decide({ ...pages, wanted: 'https://shop.example/a', movesPages: true })).toMatchObject({ moved: { links: 2 } });
});

test('rejects a change of too many hosts or links, and one that makes a URL too long', () => {
  const tooMany = Array.from({ length: landingOriginsMax + 1 }, (_, index) => at(`https://h${index}.example`));
  expect(decide({ movesPages: true, links: tooMany })).toMatchObject({ reason: 'limit_reached' });
  expect(decide({ movesPages: true, links: [at('https://shop.example', movedLinksMax + 1)] })).toMatchObject({ reason: 'limit_reached' });
  expect(decide({ movesPages: true, links: [at('https://shop.example', 1, 2_000)], wanted: 'https://longer-name.example' })).toMatchObject({
    reason: 'unprocessable',
  });
});
