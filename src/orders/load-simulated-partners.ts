import { newId, type Id } from '../core/ids.ts';
import { sha256 } from '../core/sha256.ts';
import { movesOfCreators } from '../creators/group-moves-sql.ts';
import { loadTierSteps, rateFactsAt } from '../commissions/terms-of-creators.ts';
import type { Queryable } from '../db/database.ts';
import { needsRateFacts, type TermsOfCreator } from '../merchants/applied-rule.ts';
import { storesBeyondClicks } from '../merchants/terms-sql.ts';
import type { Terms } from '../merchants/terms.ts';
import type { CustomerBinding, Partners } from './decide-attribution.ts';
import { loadPartners, type PartnerReport } from './load-partners.ts';

/** A customer who was brought by a creator earlier, for the simulation. */
export type SimulatedCustomer = {
  readonly firstOrderAt: Date;
  /** Null: a creator who does not exist. */
  readonly creatorId: Id<'crt'> | null;
  readonly laterOrders: number;
};

type Simulated = {
  readonly storeId: Id<'store'>;
  readonly programId: Id<'prog'>;
  readonly report: PartnerReport;
  readonly terms: Terms;
  readonly draft: Terms | null;
  readonly customer: SimulatedCustomer | null;
  readonly now: Date;
};

/** The store's codes that the order names, and its customer, as for a real order. A draft replaces the terms of its program. */
export async function loadSimulatedPartners(db: Queryable, simulated: Simulated): Promise<Partners | null> {
  const { storeId, programId, report, terms, draft, customer } = simulated;
  const countsMore = terms.attribution.codes !== 'off' || terms.attribution.returning !== null;
  const stores = await storesBeyondClicks(db, [{ storeId }]);
  if (!countsMore && !stores.has(storeId)) return null;
  const order = { storeId, report };
  const facts = await loadPartners(db, [order], { stores: new Set([storeId]), terms: () => undefined, suspended: null });
  const partners = facts.of(order) ?? { codes: [], bindings: [], customerHash: null };
  const bindings = customer === null ? partners.bindings : [bindingOf(customer, simulated)];
  const owners = [...partners.codes, ...bindings];
  const creatorIds = owners.map(({ creatorId }) => creatorId);
  const at = report.occurredAt === 'unreadable' ? simulated.now : report.occurredAt;
  const termsOf = await loadSimulatedTerms(
    db,
    { storeId, programId, at, versions: [draft, terms, ...owners.map((owner) => owner.terms)] },
    creatorIds,
  );
  const withDraft = <Owner extends OwnerOfTerms>(owner: Owner): Owner =>
    owner.programId === programId && (draft ?? owner.terms) !== null
      ? { ...owner, terms: termsOf(draft ?? owner.terms ?? terms, owner.creatorId) }
      : owner;
  return {
    codes: partners.codes.map(withDraft),
    bindings: bindings.map(withDraft),
    customerHash: partners.customerHash ?? (customer && sha256('simulated')),
  };
}

type OwnerOfTerms = { readonly programId: Id<'prog'>; readonly creatorId: Id<'crt'>; readonly terms: TermsOfCreator | null };
type TermsAt = {
  readonly storeId: Id<'store'>;
  readonly programId: Id<'prog'>;
  readonly at: Date;
  /** All terms for which the facts may be needed. */
  readonly versions: ReadonlyArray<Terms | null>;
};

/** Adds the facts of creators to terms, which may be a draft. A creator who does not exist has no rates of their own. */
export async function loadSimulatedTerms(
  db: Queryable,
  { at, versions, ...of }: TermsAt,
  creatorIds: ReadonlyArray<Id<'crt'>>,
): Promise<(terms: Terms, creatorId: Id<'crt'> | null) => TermsOfCreator> {
  const moves = await movesOfCreators(
    db,
    creatorIds.map((creatorId) => ({ ...of, creatorId })),
  );
  const byCreator = Map.groupBy(moves, ({ creatorId }) => creatorId);
  const stepsOf = await loadTierSteps(
    db,
    creatorIds.flatMap((creatorId) => versions.map((terms) => ({ owner: { ...of, creatorId }, terms, at }))),
  );
  return (terms, creatorId) => {
    if (!needsRateFacts(terms)) return terms;
    const facts =
      creatorId === null ? { moves: [], steps: () => [] } : { moves: byCreator.get(creatorId) ?? [], steps: stepsOf({ ...of, creatorId }) };
    return { ...terms, facts: rateFactsAt({ terms, ...facts }, at) };
  };
}

const bindingOf = ({ creatorId, firstOrderAt, laterOrders }: SimulatedCustomer, { programId, terms, now }: Simulated): CustomerBinding => ({
  bindingId: newId<'cust'>(now),
  number: 1,
  programId,
  creatorId: creatorId ?? newId<'crt'>(now),
  linkNumber: 0n,
  boundAt: firstOrderAt,
  orders: laterOrders,
  terms,
  isCreatorSuspended: false,
});
