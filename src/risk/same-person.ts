import { comparableAccount } from '../creators/payout-accounts.ts';
import { openDestination } from '../creators/payout-methods.ts';
import { payoutMethodsOf } from '../creators/payout-methods-sql.ts';
import { openTaxId } from '../creators/tax-api.ts';
import { mailboxOf } from '../people/same-mailbox.ts';
import type { Queryable } from '../platform/database/database.ts';
import type { Id } from '../platform/ids.ts';
import type { Secrets } from '../platform/secrets.ts';
import type { Evidence } from './case.ts';
import { decideSamePerson, type Traits } from './decide-same-person.ts';
import { creatorPeople, sealedTaxIds, signUpNetworks, teamsOf, type Pair } from './same-person-sql.ts';

export type MatchedPair = Pair & { readonly evidence: readonly Evidence[] };

/**
 * Of those pairs of a store and a creator the ones that look like one person. Accounts and tax ids are opened for the comparison and
 * kept nowhere: a store's team has them only where its people are creators, too.
 */
export async function samePeopleAmong(db: Queryable, secrets: Secrets, pairs: readonly Pair[]): Promise<readonly MatchedPair[]> {
  if (pairs.length === 0) return [];
  const teams = Map.groupBy(await teamsOf(db, [...new Set(pairs.map(({ storeId }) => storeId))]), ({ storeId }) => storeId);
  const ownCreators = [...teams.values()].flat().flatMap(({ creatorId }) => creatorId ?? []);
  const creatorIds = [...new Set([...pairs.map(({ creatorId }) => creatorId), ...ownCreators])];
  const people = new Map((await creatorPeople(db, creatorIds)).map((person) => [person.creatorId, person]));
  const hidden = await hiddenTraits(db, secrets, ownCreators.length === 0 ? [] : creatorIds);
  const userIds = [...teams.values()].flat().map(({ userId }) => userId);
  const networks = await networksOf(db, [...new Set([...userIds, ...[...people.values()].flatMap(({ userId }) => userId ?? [])])]);
  return pairs.flatMap(({ storeId, creatorId }) => {
    const evidence = decideSamePerson(teamTraits(storeId), creatorTraits(creatorId));
    return evidence.length === 0 ? [] : [{ storeId, creatorId, evidence }];
  });

  function teamTraits(storeId: Id<'store'>): Traits {
    const team = teams.get(storeId) ?? [];
    const own = team.flatMap(({ creatorId }) => creatorId ?? []);
    return {
      userIds: team.map(({ userId }) => userId),
      emails: team.map(({ email }) => mailboxOf(email)).filter(isKnown),
      payoutAccounts: own.flatMap((creatorId) => hidden.accounts.get(creatorId) ?? []),
      taxIds: own.flatMap((creatorId) => hidden.taxIds.get(creatorId) ?? []),
      networks: team.flatMap(({ userId }) => networks.get(userId) ?? []),
    };
  }

  function creatorTraits(creatorId: Id<'crt'>): Traits {
    const person = people.get(creatorId);
    const userId = person?.userId ?? null;
    const emails = [person?.email ?? '', person?.userEmail ?? ''].map(mailboxOf).filter(isKnown);
    return {
      userIds: userId === null ? [] : [userId],
      emails: [...new Set(emails)],
      payoutAccounts: hidden.accounts.get(creatorId) ?? [],
      taxIds: hidden.taxIds.get(creatorId) ?? [],
      networks: userId === null ? [] : (networks.get(userId) ?? []),
    };
  }
}

/** Whoever was erased has no address, and nothing in common with others who have none. */
const isKnown = (text: string): boolean => text !== '';

type Hidden = {
  readonly accounts: ReadonlyMap<Id<'crt'>, readonly string[]>;
  readonly taxIds: ReadonlyMap<Id<'crt'>, readonly string[]>;
};

async function hiddenTraits(db: Queryable, secrets: Secrets, creatorIds: ReadonlyArray<Id<'crt'>>): Promise<Hidden> {
  if (creatorIds.length === 0) return { accounts: new Map(), taxIds: new Map() };
  const accounts = new Map<Id<'crt'>, readonly string[]>();
  for (const [creatorId, method] of await payoutMethodsOf(db, creatorIds)) {
    // The words of the sandbox are no accounts.
    if (method.provider === 'stripe') accounts.set(creatorId, [`stripe ${method.instrument}`]);
    if (method.provider === 'manual') accounts.set(creatorId, [comparableAccount(openDestination(secrets, method))].filter(isKnown));
  }
  const taxIds = new Map(
    (await sealedTaxIds(db, creatorIds)).map(({ creatorId, taxIdSealed }) => [
      creatorId,
      [comparableAccount(openTaxId(secrets, creatorId, taxIdSealed))].filter(isKnown),
    ]),
  );
  return { accounts, taxIds };
}

async function networksOf(db: Queryable, userIds: ReadonlyArray<Id<'user'>>): Promise<ReadonlyMap<Id<'user'>, readonly string[]>> {
  const rows = Map.groupBy(await signUpNetworks(db, userIds), ({ userId }) => userId);
  return new Map([...rows].map(([userId, found]) => [userId, found.map(({ addressHash }) => addressHash.toString('hex'))]));
}
