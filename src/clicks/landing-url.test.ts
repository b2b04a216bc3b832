import { expect, test } from 'vitest';
import { withClick, withoutClick } from './landing-url.ts';

test.each([
  ['https://shop.example/', 'https://shop.example/?rm_click=NEW'],
  ['https://shop.example', 'https://shop.example?rm_click=NEW'],
  ['https://shop.example/p?a=1&b=%20x+y', 'https://shop.example/p?a=1&b=%20x+y&rm_click=NEW'],
  ['https://shop.example/p?a=1#top', 'https://shop.example/p?a=1&rm_click=NEW#top'],
  ['https://shop.example/p#/route?x=1', 'https://shop.example/p?rm_click=NEW#/route?x=1'],
  ['https://shop.example/p?rm_click=OLD&a=1', 'https://shop.example/p?a=1&rm_click=NEW'],
  ['https://shop.example/p?rm%5Fclick=OLD&rm_click=OLDER&rm_click', 'https://shop.example/p?rm_click=NEW'],
  ['https://shop.example/p?rm_clicks=1&xrm_click=2', 'https://shop.example/p?rm_clicks=1&xrm_click=2&rm_click=NEW'],
  ['https://shop.example/p?%zz=1', 'https://shop.example/p?%zz=1&rm_click=NEW'],
  ['https://shop.example/p?', 'https://shop.example/p?rm_click=NEW'],
])('%s leads to %s: keeps query and fragment, and replaces an old click', (destination, landing) => {
  expect(withClick(destination, 'NEW')).toBe(landing);
});

test.each([
  ['https://shop.example/', 'https://shop.example/'],
  ['https://shop.example/p?a=1&b=%20x+y#top', 'https://shop.example/p?a=1&b=%20x+y#top'],
  ['https://shop.example/p?rm_click=OLD#top', 'https://shop.example/p#top'],
  ['https://shop.example/p?a=1&rm%5Fclick=OLD', 'https://shop.example/p?a=1'],
])('%s leads to %s without a click ID: removes an old click', (destination, landing) => {
  expect(withoutClick(destination)).toBe(landing);
});
