import { never } from '../core/invariant.ts';
import type { Queryable } from '../db/database.ts';
import type { LookedUp, MoneyIntent, MoneyOutcome, PayoutProvider } from '../payments/provider.ts';
import type { Money, Providers } from '../payments/providers.ts';
import type { Platform } from '../runtime/platform.ts';
import { callProvider } from './call-provider.ts';
import { decideResume, mayBeLookedUp, type Calls, type ResumeRules } from './decide-resume.ts';

// Charges and payouts move money in the same steps: commit the intent, commit `sending`, call the provider, settle the answer. A crash or a
// missing answer leaves a row that is resumed by a look-up. Webhook events and persons settle the same row.

/** The provider of one charge or payout. */
export type MovementProvider = Pick<PayoutProvider, 'keyLifeMs' | 'absentIsSureAfterMs'> & {
  readonly send: (intent: MoneyIntent) => Promise<MoneyOutcome>;
  readonly lookUp: (intent: MoneyIntent) => Promise<LookedUp>;
};

/** In what charges and payouts differ. `After` says what the caller has to do after an outcome was settled. */
export type MovementKind<Key, Row extends Key, After> = {
  readonly module: 'billing' | 'payouts';
  readonly rules: ResumeRules;
  readonly read: (db: Queryable, key: Key) => Promise<Row>;
  /** Our public ID: the idempotency key at the provider, also before anything is sent. */
  readonly referenceOf: (row: Row) => string;
  /** The same bytes each time, because nothing in it changes after the intent was committed. */
  readonly intentOf: (row: Row) => MoneyIntent;
  /** Null: the provider is not configured, such as Stripe without its key. */
  readonly providerOf: (providers: Providers, row: Row) => MovementProvider | null;
  /** Null: the provider was not called yet. */
  readonly callsOf: (row: Row) => Calls | null;
  /** Commits, before each call, that the provider may have been called. Null: it ended or may no longer be sent. */
  readonly commitSending: (platform: Platform, key: Key, attempt: Attempt) => Promise<Row | null>;
  /** Decides under a lock what an outcome changes. Outcomes may come from several sources, repeatedly, and in any order. */
  readonly settle: (platform: Platform, key: Key, outcome: LookedUp) => Promise<After>;
  /** Whether an event is looked up before it is trusted. */
  readonly onEvent: (row: Row) => 'look_up' | 'settle' | 'ignore';
};
type Attempt = 'first' | 'again';

/** Sends it, or sends it again with the same key and bytes. Null: nothing was sent. */
export async function sendMovement<Key, Row extends Key, After>(
  kind: MovementKind<Key, Row, After>,
  money: Money,
  key: Key,
  attempt: Attempt,
): Promise<After | null> {
  const { platform } = money;
  const provider = configuredProvider(kind, money, await kind.read(platform.database, key));
  if (provider === null) return null;
  const sending = await kind.commitSending(platform, key, attempt);
  if (sending === null) return null;
  platform.reached(`${kind.module}: sending`);
  const outcome = await callProvider(platform, kind.module, () => provider.send(kind.intentOf(sending)));
  platform.reached(`${kind.module}: answered`);
  return kind.settle(platform, key, outcome);
}

/** Resumes what a crashed process or a missing answer left. Null: nothing was settled. */
export async function resumeMovement<Key, Row extends Key, After>(
  kind: MovementKind<Key, Row, After>,
  money: Money,
  key: Key,
): Promise<After | null> {
  const { platform } = money;
  const row = await kind.read(platform.database, key);
  const provider = configuredProvider(kind, money, row);
  if (provider === null) return null;
  const calls = kind.callsOf(row);
  if (calls === null) return sendMovement(kind, money, key, 'first');
  const now = platform.clock.now();
  if (!mayBeLookedUp(kind.rules, calls, now)) return null;
  const found = await callProvider(platform, kind.module, () => provider.lookUp(kind.intentOf(row)));
  platform.reached(`${kind.module}: looked up`);
  const decision = decideResume(kind.rules, { calls, provider, found: found.is, now });
  switch (decision) {
    case 'settle':
    case 'never_arrived':
      return kind.settle(platform, key, found);
    case 'send_again':
      return sendMovement(kind, money, key, 'again');
    case 'missing':
      platform.log.error(subjectOf(kind, row), `${kind.module}: the provider accepted this and does not find it now; ask the provider`);
      return null;
    case 'wait':
      return null;
    default:
      return never(decision);
  }
}

/** `not_confirmed`: it is ours, but the provider does not confirm the event yet and has to send it again. */
export type EventResult = 'applied' | 'not_ours' | 'not_confirmed';
type AppliedEvent<After> = { readonly is: 'applied'; readonly after: After | null } | { readonly is: 'not_confirmed' };

/** Handles a webhook event, also before our own call was answered, and any number of times. Null: a look-up without an event. */
export async function applyEvent<Key, Row extends Key, After>(
  kind: MovementKind<Key, Row, After>,
  money: Money,
  key: Key,
  reported: MoneyOutcome | null,
): Promise<AppliedEvent<After>> {
  const { platform } = money;
  const row = await kind.read(platform.database, key);
  const rule = kind.onEvent(row);
  if (rule === 'ignore') return { is: 'applied', after: null };
  if (rule === 'settle' && reported !== null) return { is: 'applied', after: await kind.settle(platform, key, reported) };
  const provider = configuredProvider(kind, money, row);
  if (provider === null) return { is: 'not_confirmed' };
  // By the provider's ID if the event has it, because a search lags behind.
  const reportedId = reported !== null && 'providerId' in reported ? reported.providerId : null;
  const intent = kind.intentOf(row);
  const found = await callProvider(platform, kind.module, () =>
    provider.lookUp({ ...intent, providerId: reportedId ?? intent.providerId ?? null }),
  );
  if (found.is === 'absent' || found.is === 'unknown') return { is: 'not_confirmed' };
  return { is: 'applied', after: await kind.settle(platform, key, found) };
}

/** Without its provider a charge or payout waits, and the log says so. */
function configuredProvider<Key, Row extends Key, After>(
  kind: MovementKind<Key, Row, After>,
  { platform, providers }: Money,
  row: Row,
): MovementProvider | null {
  const provider = kind.providerOf(providers, row);
  if (provider === null) platform.log.error(subjectOf(kind, row), `${kind.module}: the payment provider is not configured`);
  return provider;
}

const subjectOf = <Key, Row extends Key, After>({ module, referenceOf }: MovementKind<Key, Row, After>, row: Row) => ({
  [module === 'billing' ? 'charge' : 'payout']: referenceOf(row),
});
