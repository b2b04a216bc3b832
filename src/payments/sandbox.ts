import { createHash } from 'node:crypto';
import { newId, publicId } from '../core/ids.ts';
import { cents } from '../core/money.ts';
import { invariant } from '../core/invariant.ts';
import type { Platform } from '../runtime/platform.ts';
import { hourMs } from '../core/time.ts';
import { decideSandbox, type SandboxPlan } from './decide-sandbox.ts';
import type { ChargeProvider, LookedUp, MoneyIntent, MoneyOutcome, PayoutProvider } from './provider.ts';
import { deliverEvent, eventsOf } from './sandbox-webhooks.ts';
import { keysForgottenAfterMs, type SandboxKind, searchLagMs, sandboxMethodOf } from './sandbox-methods.ts';
import { outcomeOf } from './sandbox-outcome.ts';
import {
  countCall,
  endPending,
  findMovement,
  insertEvents,
  insertMovement,
  saveAnswer,
  type Movement,
  searchMovements,
  wasDeclined,
} from './sandbox-sql.ts';

const keyLifeMs = 20 * hourMs;
const chargeMin = cents(50);

/**
 * The built-in provider behaves like an external system that uses our database: it commits before it answers, even if the caller rolls
 * back.
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
  const { answer, eventsFirst } = await executeCall(platform, kind, intent);
  for (const event of eventsFirst) await deliverEvent(platform, event);
  return answer;
}

type ExecutedCall = { readonly answer: MoneyOutcome; readonly eventsFirst: ReturnType<typeof eventsOf> };

/** Stores the key, the movement, the answer and the events in one transaction of the sandbox. */
async function executeCall({ database, clock }: Platform, kind: SandboxKind, intent: MoneyIntent): Promise<ExecutedCall> {
  const now = clock.now();
  const key = intent.reference;
  const contentHash = hashOf(kind, intent);
  return database.transaction(async (tx) => {
    const kept = await countCall(tx, { key, contentHash, now, forgottenUntil: new Date(now.getTime() - keysForgottenAfterMs) });
    invariant(kept.contentHash.equals(contentHash), `the key ${key} was sent to the sandbox before with different content`);
    if (kept.answer !== null) return { answer: kept.answer, eventsFirst: [] };

    const plan = decideSandbox({
      word: sandboxMethodOf(intent.instrument, kind),
      isBelowLeast: kind === 'charge' && intent.amount < chargeMin,
      isSentAgain: kept.calls > 1,
      wasDeclinedBefore: await wasDeclined(tx, intent.instrument),
    });
    if (plan.entry === null) return { answer: answered(plan.answer, null), eventsFirst: [] };
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
    await saveAnswer(tx, key, answered(plan.sameKey, movement));
    const events = eventsOf(movement, plan.events, now);
    await insertEvents(tx, events);
    return { answer: answered(plan.answer, movement), eventsFirst: plan.isEventFirst ? events : [] };
  });
}

const hashOf = (kind: SandboxKind, { reference, amount, instrument, description }: MoneyIntent): Buffer =>
  createHash('sha256')
    .update(JSON.stringify([kind, reference, amount.toString(), instrument, description]))
    .digest();

/** Returns the answer to the caller, who may not receive the stored outcome. */
function answered(answer: SandboxPlan['answer'], movement: Movement | null): MoneyOutcome {
  if (answer === 'error') return { is: 'unknown', why: 'the sandbox answered with an error of its own (500)' };
  if (answer === 'lost' || movement === null) return { is: 'unknown', why: 'the sandbox did not answer in time' };
  if (answer === 'pending') return { is: 'pending', providerId: movement.providerId };
  return outcomeOf(movement);
}

const statusOrder = ['succeeded', 'pending', 'declined'] as const;

/**
 * Looks up the provider's ID without a delay, and our reference with the delay of the search. A success takes precedence over declined
 * attempts. The provider's ID is only a hint: a movement with another reference or amount does not answer the question.
 */
async function lookUp({ database, clock }: Platform, kind: SandboxKind, intent: MoneyIntent): Promise<LookedUp> {
  const { reference, providerId, amount } = intent;
  const known = typeof providerId === 'string' ? await findMovement(database, kind, providerId) : null;
  const found = known?.reference === reference ? [known] : await searchMovements(database, kind, reference, clock.now());
  const [first] = found.toSorted((one, other) => statusOrder.indexOf(one.status) - statusOrder.indexOf(other.status));
  if (first === undefined) return { is: 'absent' };
  return first.amountCents === amount ? outcomeOf(first) : { is: 'unknown', why: 'the sandbox has it with another amount' };
}

/** Completes a pending `never` movement and sends its event immediately. False if there is none with this reference. */
export async function endInSandbox({ database, clock }: Platform, reference: string, end: 'succeeded' | 'declined'): Promise<boolean> {
  const now = clock.now();
  const why = end === 'declined' ? { code: 'bank_declined', message: 'The bank declined the payment.' } : { code: null, message: null };
  return database.transaction(async (tx) => {
    const movement = await endPending(tx, reference, { status: end, ...why });
    if (movement === null) return false;
    await insertEvents(tx, eventsOf(movement, [{ kind: 'entry', afterMs: 0, copies: 1 }], now));
    return true;
  });
}
