import type { Id } from '../core/ids.ts';
import type { Queryable } from '../db/database.ts';
import { needsRateFacts, type RateFacts, type TermsOfCreator } from '../merchants/applied-rule.ts';
import { termsOfPrograms } from '../merchants/terms-sql.ts';
import { termsInForce, type Terms } from '../merchants/terms.ts';
import { movesOfCreators, type MoveOfCreator } from './group-moves-sql.ts';

type Owner = { readonly storeId: Id<'store'>; readonly programId: Id<'prog'>; readonly creatorId: Id<'crt'> };

/** The terms of creators at a time. Undefined: the creator was not asked for. Null: there are no terms, or the time is unreadable. */
export type TermsOfCreators = (owner: Pick<Owner, 'programId' | 'creatorId'>, at: Date | 'unreadable') => TermsOfCreator | null | undefined;

/** One statement for the terms of all creators, and another one only if terms have different rates for creators. */
export async function loadTermsOfCreators(db: Queryable, owners: readonly Owner[]): Promise<TermsOfCreators> {
  const terms = await termsOfPrograms(db, owners);
  const isDifferent = ({ programId }: Owner) => terms.get(programId)?.some(needsRateFacts) === true;
  const different = owners.filter(isDifferent);
  const moves = different.length === 0 ? [] : await movesOfCreators(db, different);
  const known = new Set(owners.map(nameOf));
  const byOwner = Map.groupBy(moves, nameOf);
  return (owner, at) => {
    if (!known.has(nameOf(owner))) return undefined;
    const inForce = at === 'unreadable' ? null : termsInForce(terms.get(owner.programId) ?? [], at);
    return inForce === null || at === 'unreadable' ? null : withFacts(inForce, byOwner.get(nameOf(owner)), at);
  };
}

const nameOf = ({ programId, creatorId }: Pick<Owner, 'programId' | 'creatorId'>): string => `${programId} ${creatorId}`;

function withFacts(terms: Terms, moves: readonly MoveOfCreator[] | undefined, at: Date): TermsOfCreator {
  return moves === undefined || !needsRateFacts(terms) ? terms : { ...terms, facts: rateFactsAt(moves, at) };
}

/** The group is the one of the last move by then. */
export function rateFactsAt(moves: readonly MoveOfCreator[], at: Date): RateFacts {
  const last = moves.findLast(({ movedAt }) => movedAt !== null && movedAt <= at);
  return {
    memberId: moves[0]?.memberId ?? null,
    group: last === undefined || last.groupId === null ? null : { groupId: last.groupId, name: last.groupName ?? '' },
  };
}
