import { expect, test } from 'vitest';
import type { Program } from '../merchants/programs-sql.ts';
import type { Store } from '../merchants/stores-sql.ts';
import { clicksOnly, sameRates, type Terms } from '../merchants/terms.ts';
import { cachePreviews } from './cache-previews.ts';

const programNamed = (name: string) => ({
  program: { name } as Program,
  store: { name: 'Boots', siteUrl: 'https://boots.example' } as Store,
  terms: { pays: 'order', orderRules: [], subscriptionRules: [], attribution: clicksOnly, rates: sameRates } as Partial<Terms> as Terms,
  page: { description: '', accentColor: '#0d6475', faq: [], isListed: false },
});

test('draws one image once for parallel requests, and at most two different images per second', async () => {
  const draw = cachePreviews();
  const same = await Promise.all(Array.from({ length: 5 }, () => draw(programNamed('One'))));
  expect(new Set(same).size).toBe(1);
  const crowded = cachePreviews();
  const drawn = await Promise.all(['A', 'B', 'C', 'D'].map((name) => crowded(programNamed(name))));
  expect(drawn.map((image) => image !== null)).toEqual([true, true, false, false]);
});
