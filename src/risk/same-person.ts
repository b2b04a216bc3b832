import { comparableAccount, listPayoutAccounts } from '../creators/payout-accounts.ts';
import { openTaxId } from '../creators/tax-details-api.ts';
import { normalizeMailbox } from '../people/normalize-mailbox.ts';
import type { Queryable } from '../db/database.ts';
import type { Id } from '../core/ids.ts';
import type { Secrets } from '../core/secrets.ts';
import type { Evidence } from './risk-case.ts';
import { decideSamePerson, type Traits } from './decide-same-person.ts';
import {
  listCardsOfStores,
  listCreatorPeople,
  type Pair,
  listPromoters,
  listSealedTaxIds,
  listSignUpNetworks,
  type StoreCard,
  listStoresWithCards,
  type TeamMember,
  listTeams,
} from './same-person-sql.ts';

export type MatchedPair = Pair & { readonly evidence: readonly Evidence[] };

/**
 * Finds the pairs of a store and a creator that look like one person. Accounts and tax IDs are unsealed for the comparison and not
 * stored; team members have them only if they are creators, too.
 */
export async function findSamePeople(db: Queryable, secrets: Secrets, pairs: readonly Pair[]): Promise<readonly MatchedPair[]> {
  if (pairs.length === 0) return [];
  const teams = Map.groupBy(await listTeams(db, [...new Set(pairs.map(({ storeId }) => storeId))]), ({ storeId }) => storeId);
  const ownCreators = [...teams.values()].flat().flatMap(({ creatorId }) => creatorId ?? []);
  const creatorIds = [...new Set([...pairs.map(({ creatorId }) => creatorId), ...ownCreators])];
  const people = new Map((await listCreatorPeople(db, creatorIds)).map((person) => [person.creatorId, person]));
  const hidden = await hiddenTraits(db, secrets, ownCreators.length === 0 ? [] : creatorIds);
  const userIds = [...teams.values()].flat().map(({ userId }) => userId);
  const networks = await networksOf(db, [...new Set([...userIds, ...[...people.values()].flatMap(({ userId }) => userId ?? [])])]);
  const cards = await cardsOf(db, pairs, teams);
  return pairs.flatMap((pair) => {
    const { storeId, creatorId } = pair;
    const evidence = decideSamePerson(teamTraits(storeId), creatorTraits(pair));
    return evidence.length === 0 ? [] : [{ storeId, creatorId, evidence }];
  });

  function teamTraits(storeId: Id<'store'>): Traits {
    const team = teams.get(storeId) ?? [];
    const own = team.flatMap(({ creatorId }) => creatorId ?? []);
    return {
      userIds: team.map(({ userId }) => userId),
      emails: team.map(({ email }) => normalizeMailbox(email)).filter(isKnown),
      payoutAccounts: own.flatMap((creatorId) => [...(hidden.accounts.get(creatorId) ?? [])]),
      taxIds: own.flatMap((creatorId) => hidden.taxIds.get(creatorId) ?? []),
      cards: cards.ofStore(storeId),
      networks: team.flatMap(({ userId }) => networks.get(userId) ?? []),
    };
  }

  function creatorTraits(pair: Pair): Traits {
    const { creatorId } = pair;
    const person = people.get(creatorId);
    const userId = person?.userId ?? null;
    const emails = [person?.email ?? '', person?.userEmail ?? ''].map(normalizeMailbox).filter(isKnown);
    return {
      userIds: userId === null ? [] : [userId],
      emails: [...new Set(emails)],
      payoutAccounts: [...(hidden.accounts.get(creatorId) ?? [])],
      taxIds: hidden.taxIds.get(creatorId) ?? [],
      cards: cards.ofCreator(pair),
      networks: userId === null ? [] : (networks.get(userId) ?? []),
    };
  }
}

/** An erased person has no address, and two missing addresses are not a match. */
const isKnown = (text: string): boolean => text !== '';

type Hidden = {
  /** Includes replaced accounts, so that a change right before a payout hides nothing. */
  readonly accounts: ReadonlyMap<Id<'crt'>, ReadonlySet<string>>;
  readonly taxIds: ReadonlyMap<Id<'crt'>, readonly string[]>;
};

async function hiddenTraits(db: Queryable, secrets: Secrets, creatorIds: ReadonlyArray<Id<'crt'>>): Promise<Hidden> {
  if (creatorIds.length === 0) return { accounts: new Map(), taxIds: new Map() };
  const accounts = await listPayoutAccounts(db, secrets, creatorIds);
  const taxIds = new Map(
    (await listSealedTaxIds(db, creatorIds)).map(({ creatorId, taxIdSealed }) => [
      creatorId,
      [comparableAccount(openTaxId(secrets, creatorId, taxIdSealed))].filter(isKnown),
    ]),
  );
  return { accounts, taxIds };
}

async function networksOf(db: Queryable, userIds: ReadonlyArray<Id<'user'>>): Promise<ReadonlyMap<Id<'user'>, readonly string[]>> {
  const rows = Map.groupBy(await listSignUpNetworks(db, userIds), ({ userId }) => userId);
  return new Map([...rows].map(([userId, found]) => [userId, found.map(({ addressHash }) => addressHash.toString('hex'))]));
}

/** Which payment cards belong to each side of a pair. */
export type Cards = {
  readonly ofStore: (storeId: Id<'store'>) => readonly string[];
  readonly ofCreator: (pair: Pair) => readonly string[];
};

const noCards: Cards = { ofStore: () => [], ofCreator: () => [] };

type Teams = ReadonlyMap<Id<'store'>, readonly TeamMember[]>;

/**
 * A card also counts as the creator's if it pays for another store whose team the creator is in, or for a store of another team that
 * the creator promotes. Two stores of one team may share a card. Shared cards are rare, and without one nothing more is read.
 */
export async function cardsOf(db: Queryable, pairs: readonly Pair[], teams: Teams): Promise<Cards> {
  const own = await listCardsOfStores(db, [...new Set(pairs.map(({ storeId }) => storeId))]);
  const all = await listStoresWithCards(db, [...new Set(own.map(({ card }) => card))]);
  const shared = sharedOf(all);
  if (shared.length === 0) return noCards;
  const storeIds = [...new Set(shared.map(({ storeId }) => storeId))];
  const otherTeams = Map.groupBy(await listTeams(db, storeIds), ({ storeId }) => storeId);
  const creatorIds = [...new Set(pairs.map(({ creatorId }) => creatorId))];
  const promoted = new Set((await listPromoters(db, creatorIds, storeIds)).map(({ storeId, creatorId }) => `${storeId} ${creatorId}`));

  const isOfCreator = (other: Id<'store'>, { storeId, creatorId }: Pair): boolean => {
    const team = otherTeams.get(other) ?? [];
    if (team.some((member) => member.creatorId === creatorId)) return true;
    const userIds = new Set((teams.get(storeId) ?? []).map(({ userId }) => userId));
    return promoted.has(`${other} ${creatorId}`) && !team.some(({ userId }) => userIds.has(userId));
  };
  return {
    ofStore: (storeId) => own.filter((one) => one.storeId === storeId).map(({ card }) => card),
    ofCreator: (pair) => shared.filter((one) => one.storeId !== pair.storeId && isOfCreator(one.storeId, pair)).map(({ card }) => card),
  };
}

function sharedOf(cards: readonly StoreCard[]): readonly StoreCard[] {
  const stores = Map.groupBy(cards, ({ card }) => card);
  return cards.filter(({ card }) => (stores.get(card)?.length ?? 0) > 1);
}
