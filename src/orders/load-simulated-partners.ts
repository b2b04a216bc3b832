import { hash } from 'node:crypto';
import { newId, type Id } from '../core/ids.ts';
import type { Queryable } from '../db/database.ts';
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
  const facts = await loadPartners(db, [order], { stores: new Set([storeId]), terms: new Map(), suspended: new Set() });
  const partners = facts.of(order) ?? { codes: [], bindings: [], customerHash: null };
  const withDraft = <Owner extends { readonly programId: Id<'prog'> }>(owner: Owner): Owner =>
    draft !== null && owner.programId === programId ? { ...owner, terms: draft } : owner;
  return {
    codes: partners.codes.map(withDraft),
    bindings: customer === null ? partners.bindings.map(withDraft) : [bindingOf(customer, simulated)],
    customerHash: partners.customerHash ?? (customer && hash('sha256', 'simulated', 'buffer')),
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
