import { createHash } from 'node:crypto';
import { newId, publicId } from '../platform/ids.ts';
import { cents } from '../platform/money.ts';
import { must } from '../platform/must.ts';
import type { Platform } from '../platform/platform.ts';
import { hourMs } from '../platform/time.ts';
import { decideSandbox, type SandboxPlan } from './decide-sandbox.ts';
import type { ChargeProvider, LookedUp, MoneyIntent, MoneyOutcome, PayoutProvider } from './provider.ts';
import { deliverNews, eventsOf } from './sandbox-news.ts';
import { outcomeOf } from './sandbox-outcome.ts';
import {
  countCall,
  endPending,
  findMovement,
  insertEvents,
  insertMovement,
  keepAnswer,
  searchMovements,
  wasDeclined,
  type Movement,
} from './sandbox-sql.ts';
import { keysForgottenAfterMs, searchLagMs, wordOf, type SandboxKind } from './sandbox-words.ts';

const keyLifeMs = 20 * hourMs;
const chargeMin = cents(50);

/**
 * The built-in provider: an outside system that happens to live in our database. It commits by itself, before it answers,
 * whatever becomes of the caller.
 */
export function openSandbox(platform: Platform): { readonly charges: ChargeProvider; readonly payouts: PayoutProvider } {
  const shared = { name: 'sandbox', keyLifeMs, absentIsSureAfterMs: 2 * searchLagMs } as const;
  return {
    charges: {
      ...shared,
      chargeMin,
      charge: (intent) => call(platform, 'charge', intent),
      lookUpCharge: (intent) => lookUp(platform, 'charge', intent),
    },
    payouts: {
      ...shared,
      ends: 'later',
      pay: (intent) => call(platform, 'payout', intent),
      lookUpPayout: (intent) => lookUp(platform, 'payout', intent),
    },
  };
}

async function call(platform: Platform, kind: SandboxKind, intent: MoneyIntent): Promise<MoneyOutcome> {
  const { answer, newsFirst } = await carriedOut(platform, kind, intent);
  for (const event of newsFirst) await deliverNews(platform, event);
  return answer;
}

type CarriedOut = { readonly answer: MoneyOutcome; readonly newsFirst: ReturnType<typeof eventsOf> };

/** One transaction of the provider's own: the key, the book, the answer that is kept, and the news. */
async function carriedOut({ database, clock }: Platform, kind: SandboxKind, intent: MoneyIntent): Promise<CarriedOut> {
  const now = clock.now();
  const key = intent.reference;
  const contentHash = hashOf(kind, intent);
  return database.transaction(async (tx) => {
    const kept = await countCall(tx, { key, contentHash, now, forgottenUntil: new Date(now.getTime() - keysForgottenAfterMs) });
    must(kept.contentHash.equals(contentHash), `the key ${key} was sent to the sandbox before, with other content`);
    if (kept.answer !== null) return { answer: kept.answer, newsFirst: [] };

    const plan = decideSandbox({
      word: wordOf(intent.instrument, kind),
      isBelowLeast: kind === 'charge' && intent.amount < chargeMin,
      isSentAgain: kept.calls > 1,
      wasDeclinedBefore: await wasDeclined(tx, intent.instrument),
    });
    if (plan.entry === null) return { answer: answered(plan.answer, null), newsFirst: [] };
    const movement: Movement = {
      providerId: publicId('sbx', newId<'sbx'>(now)),
      kind,
      reference: intent.reference,
      amountCents: intent.amount,
      status: plan.entry.status,
      code: plan.entry.status === 'declined' ? plan.entry.code : null,
      message: plan.entry.status === 'declined' ? plan.entry.message : null,
    };
    const foundFromAt = new Date(now.getTime() + searchLagMs);
    await insertMovement(tx, { ...movement, instrument: intent.instrument, madeAt: now, foundFromAt });
    await keepAnswer(tx, key, answered(plan.sameKey, movement));
    const events = eventsOf(movement, plan.news, now);
    await insertEvents(tx, events);
    return { answer: answered(plan.answer, movement), newsFirst: plan.isNewsFirst ? events : [] };
  });
}

const hashOf = (kind: SandboxKind, { reference, amount, instrument, description }: MoneyIntent): Buffer =>
  createHash('sha256')
    .update(JSON.stringify([kind, reference, amount.toString(), instrument, description]))
    .digest();

/** What the caller hears of what stands in the book, if it hears anything. */
function answered(answer: SandboxPlan['answer'], movement: Movement | null): MoneyOutcome {
  if (answer === 'error') return { is: 'unknown', why: 'the sandbox answered with an error of its own (500)' };
  if (answer === 'lost' || movement === null) return { is: 'unknown', why: 'the sandbox did not answer in time' };
  if (answer === 'pending') return { is: 'pending', providerId: movement.providerId };
  return outcomeOf(movement);
}

const standing = ['succeeded', 'pending', 'declined'] as const;

/**
 * By the provider's own name it is found at once, by ours as the search has it. A success hides what was declined beside it. A name
 * is only a hint: what stands under it for another reference, or with another amount, says nothing of this one.
 */
async function lookUp({ database, clock }: Platform, kind: SandboxKind, asked: MoneyIntent): Promise<LookedUp> {
  const { reference, providerId, amount } = asked;
  const known = typeof providerId === 'string' ? await findMovement(database, kind, providerId) : null;
  const found = known?.reference === reference ? [known] : await searchMovements(database, kind, reference, clock.now());
  const [first] = found.toSorted((one, other) => standing.indexOf(one.status) - standing.indexOf(other.status));
  if (first === undefined) return { is: 'absent' };
  return first.amountCents === amount ? outcomeOf(first) : { is: 'unknown', why: 'the sandbox has it with another amount' };
}

/** Ends what `never` left open, as somebody at the bank would; the news is due at once. False: nothing of that name is open. */
export async function endInSandbox({ database, clock }: Platform, reference: string, end: 'succeeded' | 'declined'): Promise<boolean> {
  const now = clock.now();
  const why = end === 'declined' ? { code: 'bank_declined', message: 'The bank declined it in the end.' } : { code: null, message: null };
  return database.transaction(async (tx) => {
    const movement = await endPending(tx, reference, { status: end, ...why });
    if (movement === null) return false;
    await insertEvents(tx, eventsOf(movement, [{ tells: 'entry', afterMs: 0, copies: 1 }], now));
    return true;
  });
}
