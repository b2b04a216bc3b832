import { cents } from '../../core/money.ts';
import { publicId } from '../../core/ids.ts';
import { hourMs, minuteMs, plusDays, startOfDay } from '../../core/time.ts';
import { createDiscountCode } from '../../creators/discount-codes.ts';
import { isRefusal } from '../../http/responses.ts';
import { invariant } from '../../core/invariant.ts';
import { noSubjects, type TermsDraft } from '../../merchants/decide-terms.ts';
import { addTerms } from '../../merchants/program-terms.ts';
import type { LeadRule } from '../../merchants/terms.ts';
import { createRandom, type Random } from './random.ts';
import { perOrderOf } from './seed.ts';
import { storyNames, type StoryCreator } from './story.ts';
import type { Year, YearLink } from './year.ts';

/** From this part of the history on, discount codes, returning customers, and sign-ups for the newsletter earn. */
const countedAfter = 0.5;
const returning = { days: 120, ordersMax: 5, newClick: 'last_click' } as const;
const randomSeed = 20_260_901;
/** Customers of a podcast or video often remember the code, and never open the link. */
const ordersWithoutClick = 5;

const signUp: LeadRule = { kind: 'sign_up', amount: cents(100), perMonthMax: 100 };
const visitsUntilSignUp = 45;
const signUpsUntilSpam = 15;

/** The terms of the program from then on. */
export const countedTerms = {
  ...perOrderOf(storyNames.products),
  attribution: { codes: 'when_no_click', returning, leads: [signUp] },
} as const satisfies Omit<TermsDraft, 'effectiveFrom'>;

/** One customer in so many comes back without a link or a code. */
const ordersUntilReturn = 6;

/** Decides with random numbers of its own, so that the rest of the story stays as it is. */
export type CodeStory = {
  /** Whether the order has only a code. */
  readonly isWithoutClick: (link: YearLink, at: Date) => boolean;
  /** After how many days the customer orders again, without a click or a code; null for never. */
  readonly returnsAfterDays: (at: Date) => number | null;
  /** Plans the sign-up of a visitor, if there is one. */
  readonly visited: (click: string, visit: { readonly link: YearLink; readonly at: Date }) => void;
};

type Span = { readonly days: number; readonly begin: Date };

/** By a new version of the terms, the merchant counts codes and returning customers and pays for sign-ups, and some creators get a code. */
export function planCodes(year: Year, { days, begin }: Span): CodeStory {
  const random: Random = createRandom(randomSeed);
  const countedAt = new Date(startOfDay(plusDays(begin, Math.ceil(days * countedAfter))).getTime() + 10 * hourMs);
  year.agenda.push({ at: countedAt, run: () => countCodes(year, countedAt) });
  return {
    isWithoutClick: ({ creator, products }, at) =>
      creator.discountCode !== null && products === null && at > countedAt && random.isOneIn(ordersWithoutClick),
    returnsAfterDays: (at) => (at > countedAt && random.isOneIn(ordersUntilReturn) ? random.whole(3, 20) : null),
    visited(click, { link, at }) {
      if (at > countedAt && link.products === null && random.isOneIn(visitsUntilSignUp)) planSignUp(year, click, { at, random });
    },
  };
}

/** A visitor signs up minutes after the click. A few sign-ups are spam, which the store notices later. */
function planSignUp(year: Year, click: string, { at: clickedAt, random }: { readonly at: Date; readonly random: Random }): void {
  const at = new Date(clickedAt.getTime() + random.whole(1, 20) * minuteMs);
  year.signUps += 1;
  const leadId = `sign-up-${year.signUps}`;
  const lead = { lead_id: leadId, kind: signUp.kind, click_id: click, occurred_at: at.toISOString() };
  year.agenda.push({ at, run: () => year.past.lead(lead, new Date(at.getTime() + 1_000)) });
  if (!random.isOneIn(signUpsUntilSpam)) return;
  const noticedAt = new Date(plusDays(at, 1).getTime() + random.whole(1, 300) * minuteMs);
  year.agenda.push({ at: noticedAt, run: () => year.past.leadReversal({ lead_id: leadId, reason: 'spam' }, noticedAt) });
}

async function countCodes({ database, storeId, programId, links, audit }: Year, at: Date): Promise<void> {
  const program = `/programs/${publicId('prog', programId)}`;
  await database.transaction(async (tx) => {
    const terms = { ...countedTerms, effectiveFrom: undefined };
    invariant(
      !isRefusal(await addTerms(tx, { storeId, programId }, terms, { subjects: noSubjects, at })),
      'a new version follows the rules of the service',
    );
  });
  await audit(at, 'terms.add', `${program}/terms`, { codes: 'when_no_click' });
  const owners = new Map<StoryCreator, YearLink>();
  for (const link of links) if (link.programId === programId && !owners.has(link.creator)) owners.set(link.creator, link);
  for (const [{ discountCode: code }, { creatorId }] of owners) {
    if (code === null) continue;
    const settings = { isShared: false, validFrom: null, validUntil: null, ordersPerCustomer: null };
    const made = await database.transaction((tx) => createDiscountCode(tx, { storeId, programId, creatorId, code, ...settings, at }));
    invariant(!isRefusal(made), 'the story gives codes to members');
    await audit(at, 'code.create', `${program}/codes/${publicId('code', made.codeId)}`, { code });
  }
}
