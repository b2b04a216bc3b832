import { findCreator } from '../creators/creators-sql.ts';
import { payoutAccountsOf } from '../creators/payout-accounts.ts';
import { whoSetMethod } from '../creators/payout-methods-sql.ts';
import { operatorPersons, type OperatorPerson } from '../people/operators-sql.ts';
import { mailboxOf } from '../people/same-mailbox.ts';
import { userOfCreator } from '../people/users-sql.ts';
import type { Queryable } from '../platform/database/database.ts';
import type { Id } from '../platform/ids.ts';
import type { Platform } from '../platform/platform.ts';
import { confirmationsOf, type Confirmation } from './confirmations-sql.ts';
import {
  confirmationsNeeded,
  decideConfirm,
  whyIneligible,
  type ConfirmDecision,
  type Confirmer,
  type EligibilityFacts,
  type Ineligible,
} from './decide-confirm.ts';
import type { Payout } from './payout.ts';

type Known = Pick<Platform, 'secrets' | 'clock'>;

/** A confirmation, and whether it counts as things are now: the right may be lost, or the person found to be the payee. */
export type JudgedConfirmation = Confirmation & { readonly name: string; readonly why: Ineligible | null };

export type Judged = {
  readonly needed: number;
  readonly confirmations: readonly JudgedConfirmation[];
  readonly missing: number;
  /** What the viewer would be told; an API key and the service itself are nobody. */
  readonly viewer: ConfirmDecision;
};

/** The confirmations of a payout, judged anew each time that they are shown, added to, or relied on. */
export async function judge(
  db: Queryable,
  platform: Known,
  { payout, viewer }: { readonly payout: Payout; readonly viewer: Id<'user'> | null },
) {
  const given = await confirmationsOf(db, [payout]);
  const people = await operatorPersons(db, [...new Set([...given.map(({ userId }) => userId), ...(viewer === null ? [] : [viewer])])]);
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
  return { needed, confirmations, missing: Math.max(0, needed - counted), viewer: decision } satisfies Judged;
}

async function payeeFacts(db: Queryable, { secrets, clock }: Known, payout: Payout): Promise<Omit<EligibilityFacts, 'confirmer'>> {
  const { creatorId, payoutMethodId, startedByUserId } = payout;
  const emails = [(await findCreator(db, creatorId))?.email, (await userOfCreator(db, creatorId))?.email];
  return {
    payee: { creatorId, mailboxes: mailboxesOf(emails), accounts: await payoutAccountsOf(db, secrets, creatorId) },
    startedByUserId,
    methodSetByUserId: payoutMethodId === null ? null : await whoSetMethod(db, { creatorId, payoutMethodId }),
    now: clock.now(),
  };
}

/** Also as a creator: their own address there, and every account that they were ever paid to. */
async function confirmerOf(db: Queryable, { secrets }: Known, person: OperatorPerson): Promise<Confirmer> {
  const { creatorId, email } = person;
  if (creatorId === null) return { ...person, mailboxes: mailboxesOf([email]), accounts: new Set() };
  const creator = await findCreator(db, creatorId);
  return { ...person, mailboxes: mailboxesOf([email, creator?.email]), accounts: await payoutAccountsOf(db, secrets, creatorId) };
}

/** An erased creator has no address, which is not one that two people share. */
const mailboxesOf = (emails: ReadonlyArray<string | undefined>): ReadonlySet<string> =>
  new Set(emails.flatMap((email) => (email === undefined || email === '' ? [] : [mailboxOf(email)])));

/** Whether a payout that was confirmed may still be sent: what was confirmed by too few who count waits again. */
export async function isStillConfirmed(db: Queryable, platform: Known, payout: Payout): Promise<boolean> {
  if (payout.confirmedAt === null) return true;
  return (await judge(db, platform, { payout, viewer: null })).missing === 0;
}
