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

test('a site that cannot be read is refused before anything else is looked at', () => {
  const tooMany = Array.from({ length: landingOriginsMax + 1 }, (_, index) => at(`https://h${index}.example`));
  expect(decide({ wanted: 'ftp://new.example', links: tooMany })).toMatchObject({ do: 'refuse', reason: 'unprocessable' });
});

test('the present site changes nothing, in whatever spelling it is sent', () => {
  expect(decide({ wanted: 'https://SHOP.example/' })).toEqual({ do: 'keep' });
});

test('pages outside the new site refuse the change, with the counts', () => {
  const refused = decide({});
  expect(refused).toMatchObject({ do: 'refuse', reason: 'conflict' });
  expect(refused.do === 'refuse' && refused.message).toContain('2 programs and 4 links are outside https://new.example');
});

test('a site that still covers every page changes without moving any', () => {
  expect(decide({ wanted: 'https://www.shop.example/us', links: [at('https://blog.shop.example')] })).toEqual({
    do: 'change',
    siteUrl: 'https://www.shop.example/us',
    moved: { from: [], to: 'https://www.shop.example', programs: 0, links: 0 },
  });
});

test('with the opt-in exactly the pages outside move, to the origin of the new site', () => {
  expect(decide({ movesPages: true, wanted: 'https://www.new.example:8443/shop' })).toEqual({
    do: 'change',
    siteUrl: 'https://www.new.example:8443/shop',
    moved: { from: ['https://shop.example', 'https://blog.shop.example'], to: 'https://www.new.example:8443', programs: 2, links: 4 },
  });
});

test('a page over http is outside a site over https, and a port must be the site’s', () => {
  const pages = { programs: [], links: [at('http://shop.example'), at('https://shop.example:81')] };
  expect(decide({ ...pages, wanted: 'https://shop.example/a', movesPages: true })).toMatchObject({ moved: { links: 2 } });
});

test('more hosts or links than one change may move are refused, and so is a page that would become too long', () => {
  const tooMany = Array.from({ length: landingOriginsMax + 1 }, (_, index) => at(`https://h${index}.example`));
  expect(decide({ movesPages: true, links: tooMany })).toMatchObject({ reason: 'limit_reached' });
  expect(decide({ movesPages: true, links: [at('https://shop.example', movedLinksMax + 1)] })).toMatchObject({ reason: 'limit_reached' });
  expect(decide({ movesPages: true, links: [at('https://shop.example', 1, 2_000)], wanted: 'https://longer-name.example' })).toMatchObject({
    reason: 'unprocessable',
  });
});
