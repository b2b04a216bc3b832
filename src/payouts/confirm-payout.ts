import { findCreator } from '../creators/creators-sql.ts';
import { findPayoutAccounts } from '../creators/payout-accounts.ts';
import { findMethodSetter } from '../creators/payout-methods-sql.ts';
import { type OperatorPerson, listOperatorPersons } from '../people/operators-sql.ts';
import { normalizeMailbox } from '../people/normalize-mailbox.ts';
import { findUserOfCreator } from '../people/users-sql.ts';
import type { Queryable } from '../db/database.ts';
import type { Id } from '../core/ids.ts';
import type { Platform } from '../runtime/platform.ts';
import { type Confirmation, listConfirmations } from './payouts-sql.ts';
import {
  confirmationsNeeded,
  type ConfirmDecision,
  type Confirmer,
  decideConfirm,
  type EligibilityFacts,
  type IneligibleReason,
  whyIneligible,
} from './decide-confirm.ts';
import type { Payout } from './payout.ts';

type Known = Pick<Platform, 'secrets' | 'clock'>;

/** A confirmation, and whether it counts as things are now: the right may be lost, or the person found to be the payee. */
export type JudgedConfirmation = Confirmation & { readonly name: string; readonly why: IneligibleReason | null };

export type JudgedPayout = {
  readonly needed: number;
  readonly confirmations: readonly JudgedConfirmation[];
  readonly missing: number;
  /** Why the viewer may not confirm. An API key and the service itself are not persons. */
  readonly viewer: ConfirmDecision;
};

/** Evaluates the confirmations of a payout each time that they are shown, added to, or relied on. */
export async function judgeConfirmations(
  db: Queryable,
  platform: Known,
  { payout, viewer }: { readonly payout: Payout; readonly viewer: Id<'user'> | null },
) {
  const given = await listConfirmations(db, [payout]);
  const people = await listOperatorPersons(db, [...new Set([...given.map(({ userId }) => userId), ...(viewer === null ? [] : [viewer])])]);
  const facts = await payeeFacts(db, platform, payout);
  const confirmers = new Map<string, Confirmer>();
  for (const person of people) confirmers.set(person.userId, await confirmerOf(db, platform, person));

  const confirmations = given.map((one): JudgedConfirmation => {
    const confirmer = confirmers.get(one.userId);
    const name = people.find(({ userId }) => userId === one.userId)?.name ?? 'erased';
    return { ...one, name, why: confirmer === undefined ? 'not_operator' : whyIneligible({ ...facts, confirmer }) };
  });
  const needed = confirmationsNeeded(payout);
  const counted = confirmations.filter(({ why }) => why === null).length;
  const confirmedBy = new Set<string>(given.map(({ userId }) => userId));
  const confirmer = viewer === null ? null : (confirmers.get(viewer) ?? null);
  const decision = decideConfirm({ ...facts, state: payout.state, confirmer, confirmedBy });
  return { needed, confirmations, missing: Math.max(0, needed - counted), viewer: decision } satisfies JudgedPayout;
}

async function payeeFacts(db: Queryable, { secrets, clock }: Known, payout: Payout): Promise<Omit<EligibilityFacts, 'confirmer'>> {
  const { creatorId, payoutMethodId, startedByUserId } = payout;
  const emails = [(await findCreator(db, creatorId))?.email, (await findUserOfCreator(db, creatorId))?.email];
  return {
    payee: { creatorId, mailboxes: mailboxesOf(emails), accounts: await findPayoutAccounts(db, secrets, creatorId) },
    startedByUserId,
    methodSetByUserId: payoutMethodId === null ? null : await findMethodSetter(db, { creatorId, payoutMethodId }),
    now: clock.now(),
  };
}

/** Includes the person's creator profile: its email address and every account that was ever paid. */
async function confirmerOf(db: Queryable, { secrets }: Known, person: OperatorPerson): Promise<Confirmer> {
  const { creatorId, email } = person;
  if (creatorId === null) return { ...person, mailboxes: mailboxesOf([email]), accounts: new Set() };
  const creator = await findCreator(db, creatorId);
  return { ...person, mailboxes: mailboxesOf([email, creator?.email]), accounts: await findPayoutAccounts(db, secrets, creatorId) };
}

/** An erased creator has no address, and two missing addresses are not a match. */
const mailboxesOf = (emails: ReadonlyArray<string | undefined>): ReadonlySet<string> =>
  new Set(emails.flatMap((email) => (email === undefined || email === '' ? [] : [normalizeMailbox(email)])));

/** Whether a confirmed payout may still be sent. With too few valid confirmations it waits again. */
export async function isStillConfirmed(db: Queryable, platform: Known, payout: Payout): Promise<boolean> {
  if (payout.confirmedAt === null) return true;
  return (await judgeConfirmations(db, platform, { payout, viewer: null })).missing === 0;
}
