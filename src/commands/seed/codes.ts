import { hourMs, plusDays } from '../../core/time.ts';
import { createDiscountCode } from '../../creators/discount-codes.ts';
import { isRefusal } from '../../http/responses.ts';
import { invariant } from '../../core/invariant.ts';
import { addTerms } from '../../merchants/program-terms.ts';
import { clicksOnly } from '../../merchants/terms.ts';
import { createRandom, type Random } from './random.ts';
import { perOrder } from './seed.ts';
import type { StoryCreator } from './story.ts';
import { startOfDay, type Year, type YearLink } from './year.ts';

/** From this part of the history on, discount codes and returning customers earn. */
const countedAfter = 0.5;
const returning = { days: 120, ordersMax: 5, newClick: 'last_click' } as const;
const randomSeed = 20_260_901;
/** Customers of a podcast or video often remember the code, and never open the link. */
const ordersWithoutClick = 5;

/** Decides which orders have only a code, with random numbers of its own, so that the rest of the story stays as it is. */
export type CodeStory = { readonly isWithoutClick: (link: YearLink, at: Date) => boolean };

type Span = { readonly days: number; readonly begin: Date };

/** The merchant counts codes and returning customers by a new version of the terms, and gives each of these creators a code. */
export function planCodes(year: Year, { days, begin }: Span): CodeStory {
  const random: Random = createRandom(randomSeed);
  const countedAt = new Date(startOfDay(plusDays(begin, Math.ceil(days * countedAfter))).getTime() + 10 * hourMs);
  year.agenda.push({ at: countedAt, run: () => countCodes(year, countedAt) });
  return {
    isWithoutClick: ({ creator, products }, at) =>
      creator.discountCode !== null && products === null && at > countedAt && random.isOneIn(ordersWithoutClick),
  };
}

async function countCodes({ database, storeId, programId, links, audit }: Year, at: Date): Promise<void> {
  const program = `/programs/${programId}`;
  await database.transaction(async (tx) => {
    const terms = { ...perOrder, attribution: { ...clicksOnly, codes: 'when_no_click', returning } as const, effectiveFrom: undefined };
    invariant(!isRefusal(await addTerms(tx, { storeId, programId }, terms, at)), 'a new version follows the rules of the service');
  });
  await audit(at, 'terms.add', `${program}/terms`, { codes: 'when_no_click' });
  const owners = new Map<StoryCreator, YearLink>();
  for (const link of links) if (link.programId === programId && !owners.has(link.creator)) owners.set(link.creator, link);
  for (const [{ discountCode: code }, { creatorId }] of owners) {
    if (code === null) continue;
    const settings = { isShared: false, validFrom: null, validUntil: null, ordersPerCustomer: null };
    const made = await database.transaction((tx) => createDiscountCode(tx, { storeId, programId, creatorId, code, ...settings, at }));
    invariant(!isRefusal(made), 'the story gives codes to members');
    await audit(at, 'code.create', `${program}/codes`, { code });
  }
}
