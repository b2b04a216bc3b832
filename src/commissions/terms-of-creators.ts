import type { Id } from '../core/ids.ts';
import { movesOfCreators, type MoveOfCreator } from '../creators/group-moves-sql.ts';
import type { Queryable } from '../db/database.ts';
import { needsRateFacts, type RateFacts, type TermsOfCreator } from '../merchants/applied-rule.ts';
import { acceptancesOfCreators } from '../merchants/terms-acceptances-sql.ts';
import { hasVersionChoices, termsOfOrder, type TermsOfOrder } from '../merchants/terms-of-order.ts';
import { termsOfPrograms } from '../merchants/terms-sql.ts';
import { termsInForce, type Terms } from '../merchants/terms.ts';
import { periodStart, tierAt, type TierStep } from '../merchants/tiers.ts';
import { listTierSteps, type TierPeriodOfCreator } from './tiers-sql.ts';

type Owner = { readonly storeId: Id<'store'>; readonly programId: Id<'prog'>; readonly creatorId: Id<'crt'> };
type Time = Date | 'unreadable';

type Earner = Pick<Owner, 'programId' | 'creatorId'>;

/**
 * The terms of creators at one of the loaded times, with the time of the click if a click earns. Undefined: the creator was not asked for.
 * Null: no terms, or an unreadable time.
 */
export type TermsOfCreators = (owner: Earner, at: Time, clickedAt?: Date) => TermsOfCreator | null | undefined;

/** One statement for the terms of all creators, and others only if terms have different rates for creators or announced versions. */
export async function loadTermsOfCreators(db: Queryable, wanted: readonly Owner[], times: readonly Time[]): Promise<TermsOfCreators> {
  const known = new Map(wanted.map((owner) => [nameOf(owner), owner]));
  const owners = [...known.values()];
  const terms = await termsOfPrograms(db, owners);
  const versionsOf = ({ programId }: Earner) => terms.get(programId) ?? [];
  const different = owners.filter((owner) => versionsOf(owner).some(({ rates }) => rates.own.length > 0));
  // Each pair of an owner and a time costs work, so an owner without tiers has none.
  const tiered = owners.filter((owner) => versionsOf(owner).some(({ rates }) => rates.tiers !== null));
  const informed = owners.filter((owner) => versionsOf(owner).some(({ isAnnounced }) => isAnnounced));
  const [moves, acceptances, stepsOf] = await Promise.all([
    different.length === 0 ? [] : movesOfCreators(db, different),
    informed.length === 0 ? [] : acceptancesOfCreators(db, informed),
    loadTierSteps(
      db,
      tiered.flatMap((owner) =>
        times.flatMap((at) => tieredVersions(versionsOf(owner), at).map((version) => ({ owner, terms: version, at }))),
      ),
    ),
  ]);
  const [byOwner, acceptedBy] = [Map.groupBy(moves, nameOf), Map.groupBy(acceptances, nameOf)];
  return (owner, at, clickedAt) => {
    const name = nameOf(owner);
    if (!known.has(name)) return undefined;
    if (at === 'unreadable') return null;
    const facts = { at, clickedAt: clickedAt ?? null, acceptances: acceptedBy.get(name) ?? [] };
    const inForce = termsOfOrder(versionsOf(owner), facts);
    if (inForce === null || !needsRateFacts(inForce)) return inForce;
    return { ...inForce, facts: rateFactsAt({ terms: inForce, moves: byOwner.get(name) ?? [], steps: stepsOf(owner) }, at) };
  };
}

/** The versions with tiers that may apply at a time. */
function tieredVersions(versions: readonly Terms[], at: Time): readonly Terms[] {
  if (at === 'unreadable') return [];
  const inForce = hasVersionChoices(versions) ? versions : [termsInForce(versions, at)];
  return inForce.flatMap((terms) => (terms === null || terms.rates.tiers === null ? [] : [terms]));
}

const nameOf = ({ programId, creatorId }: Earner): string => `${programId} ${creatorId}`;

type Wanted = { readonly owner: Owner; readonly terms: Terms | null; readonly at: Time };
/** The steps of a creator in the period of a time under these terms. */
export type StepsOfOwner = (terms: Terms, at: Date) => readonly TierStep[];

/** Periods of several orders are mostly the same one, and each is read once. No statement without tiers. */
export async function loadTierSteps(
  db: Queryable,
  wanted: readonly Wanted[],
): Promise<(owner: Pick<Owner, 'programId' | 'creatorId'>) => StepsOfOwner> {
  const periods = new Map<string, TierPeriodOfCreator>();
  for (const { owner, terms, at } of wanted) {
    const tiers = terms?.rates.tiers ?? null;
    if (terms === null || tiers === null || at === 'unreadable') continue;
    const { storeId, programId, creatorId } = owner;
    const from = periodStart(tiers, at);
    periods.set(periodName(owner, terms, from), { storeId, programId, creatorId, from, tiers });
  }
  const steps = periods.size === 0 ? [] : await listTierSteps(db, [...periods.values()]);
  const byPlace = Map.groupBy(steps, ({ place }) => place);
  const places = new Map([...periods.keys()].map((name, place) => [name, place]));
  return (owner) => (terms, at) => {
    const { tiers } = terms.rates;
    const place = tiers && places.get(periodName(owner, terms, periodStart(tiers, at)));
    return byPlace.get(place ?? -1) ?? [];
  };
}

const periodName = (owner: Pick<Owner, 'programId' | 'creatorId'>, { version }: Terms, from: Date): string =>
  `${nameOf(owner)} ${version} ${from.toISOString()}`;

type LoadedFacts = { readonly terms: Terms; readonly moves: readonly MoveOfCreator[]; readonly steps: StepsOfOwner };

/** The group is the one of the last move by then, and the tier the one of the last step. */
export function rateFactsAt({ terms, moves, steps }: LoadedFacts, at: Date): RateFacts {
  const last = moves.findLast(({ movedAt }) => movedAt !== null && movedAt <= at);
  const tier = terms.rates.tiers && tierAt(terms.rates.tiers, steps(terms, at), at);
  return {
    memberId: moves[0]?.memberId ?? null,
    group: last === undefined || last.groupId === null ? null : { groupId: last.groupId, name: last.groupName ?? '' },
    ...(tier === null ? {} : { tier }),
  };
}

type OneOrder = Pick<Owner, 'storeId' | 'programId'> & {
  readonly versions: readonly Terms[];
  /** Null: a creator who does not exist. */
  readonly clickCreator: Id<'crt'> | null;
  readonly clickedAt: Date | null;
  readonly at: Date;
};

/** The version for a simulated order. */
export async function findTermsOfOrder(
  db: Queryable,
  { storeId, programId, versions, clickCreator, clickedAt, at }: OneOrder,
): Promise<TermsOfOrder | null> {
  const mayDiffer = clickCreator !== null && hasVersionChoices(versions);
  const acceptances = mayDiffer ? await acceptancesOfCreators(db, [{ storeId, programId, creatorId: clickCreator }]) : [];
  return termsOfOrder(versions, { at, clickedAt, acceptances });
}
