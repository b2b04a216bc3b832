import { hash } from 'node:crypto';
import { newId, type Id } from '../core/ids.ts';
import { movesOfCreators } from '../creators/group-moves-sql.ts';
import { rateFactsAt } from '../creators/terms-of-creators.ts';
import type { Queryable } from '../db/database.ts';
import { needsRateFacts, type TermsOfCreator } from '../merchants/applied-rule.ts';
import { storesBeyondClicks } from '../merchants/terms-sql.ts';
import type { Terms } from '../merchants/terms.ts';
import type { CustomerBinding, Partners } from './decide-attribution.ts';
import { loadPartners } from './load-partners.ts';
import type { ConversionReport } from './report.ts';

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
  readonly report: ConversionReport;
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
  const facts = await loadPartners(db, [order], { stores: new Set([storeId]), terms: () => undefined, suspended: new Set() });
  const partners = facts.of(order) ?? { codes: [], bindings: [], customerHash: null };
  const bindings = customer === null ? partners.bindings : [bindingOf(customer, simulated)];
  const creatorIds = [...partners.codes, ...bindings].map(({ creatorId }) => creatorId);
  const at = report.occurredAt === 'unreadable' ? simulated.now : report.occurredAt;
  const termsOf = await loadSimulatedTerms(db, { storeId, programId, at }, creatorIds);
  const withDraft = <Owner extends OwnerOfTerms>(owner: Owner): Owner =>
    owner.programId === programId && (draft ?? owner.terms) !== null
      ? { ...owner, terms: termsOf(draft ?? owner.terms ?? terms, owner.creatorId) }
      : owner;
  return {
    codes: partners.codes.map(withDraft),
    bindings: bindings.map(withDraft),
    customerHash: partners.customerHash ?? (customer && hash('sha256', 'simulated', 'buffer')),
  };
}

type OwnerOfTerms = { readonly programId: Id<'prog'>; readonly creatorId: Id<'crt'>; readonly terms: TermsOfCreator | null };
type TermsAt = { readonly storeId: Id<'store'>; readonly programId: Id<'prog'>; readonly at: Date };

/** Adds the facts of creators to terms, which may be a draft. A creator who does not exist has no rates of their own. */
export async function loadSimulatedTerms(
  db: Queryable,
  { at, ...of }: TermsAt,
  creatorIds: ReadonlyArray<Id<'crt'>>,
): Promise<(terms: Terms, creatorId: Id<'crt'> | null) => TermsOfCreator> {
  const moves = await movesOfCreators(
    db,
    creatorIds.map((creatorId) => ({ ...of, creatorId })),
  );
  const byCreator = Map.groupBy(moves, ({ creatorId }) => creatorId);
  return (terms, creatorId) =>
    needsRateFacts(terms) ? { ...terms, facts: rateFactsAt((creatorId && byCreator.get(creatorId)) || [], at) } : terms;
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
