import { hashId } from '../contract/content-hash.ts';
import { newId, type Id } from '../core/ids.ts';
import { codeKeyOf, type CodeOfOrder } from '../creators/discount-code.ts';
import { codesOfOrders } from '../creators/discount-codes-sql.ts';
import { listSuspendedCreators } from '../creators/suspended-creators-sql.ts';
import { loadTermsOfCreators, type TermsOfCreators } from '../commissions/terms-of-creators.ts';
import type { Queryable } from '../db/database.ts';
import type { CodeFacts, CustomerBinding, Partners } from './decide-attribution.ts';
import type { NewOrder } from './decide-conversion.ts';
import type { OrderKey } from './orders-sql.ts';
import { bindingsOfCustomers, usesOfCustomers, type CustomerUse, type StoredBinding } from './partners-sql.ts';
import type { ConversionReport } from './report.ts';

/** What an order or a lead names besides its click. */
export type PartnerReport = Pick<ConversionReport, 'isTest' | 'discountCode' | 'discountCodes' | 'customerId' | 'occurredAt' | 'content'>;
type OrderInStore = { readonly storeId: Id<'store'>; readonly report: PartnerReport };
type Attributed = Pick<NewOrder, 'attribution' | 'binding' | 'occurredAt' | 'recordedAt'> & { readonly report: PartnerReport };

/** Whether the report names anything besides a click that could earn. Test orders never earn. */
export const namesPartners = ({ isTest, discountCode, discountCodes, customerId }: PartnerReport): boolean =>
  !isTest && (discountCode !== null || discountCodes !== null || customerId !== null);

/** What the orders of a batch may earn besides their clicks. Later orders of the batch see what earlier ones recorded. */
export type PartnerFacts = {
  readonly of: (order: OrderInStore) => Partners | null;
  /** The rows that a recorded order adds. */
  readonly add: (order: Attributed, key: OrderKey) => NewPartnerRows;
};
export type NewPartnerRows = { readonly bindings: readonly StoredBinding[]; readonly uses: readonly CustomerUse[] };

export const noPartnerRows: NewPartnerRows = { bindings: [], uses: [] };
export const noPartnerFacts: PartnerFacts = { of: () => null, add: () => noPartnerRows };

/** The codes of an order without repetitions: `discount_code`, then `discount_codes` in their order. */
function codeKeysOf({ discountCode, discountCodes }: PartnerReport): readonly string[] {
  const codes = [...(discountCode === null ? [] : [discountCode]), ...(Array.isArray(discountCodes) ? discountCodes : [])];
  return [...new Set(codes.map(codeKeyOf))];
}

const customerHashOf = ({ customerId, content }: PartnerReport): Buffer | null =>
  customerId === null ? null : hashId(content, 'customer_id');

const customerText = (storeId: Id<'store'>, customerHash: Buffer): string => `${storeId} ${customerHash.toString('latin1')}`;

/** The keys by which the partners of an order are found. They are computed once for reading, deciding, and writing. */
type Named = {
  readonly codeKeys: readonly string[];
  readonly customerHash: Buffer | null;
  /** The customer as a map key. */
  readonly customer: string | null;
};

function namedBy({ storeId, report }: OrderInStore): Named {
  const customerHash = customerHashOf(report);
  return { codeKeys: codeKeysOf(report), customerHash, customer: customerHash && customerText(storeId, customerHash) };
}

/** What the batch loads for its clicks, whose creators the codes and bindings mostly belong to. */
export type ClickOwners = {
  readonly terms: TermsOfCreators;
  /** The suspended creators among those whose terms were loaded. Null: this was not read. */
  readonly suspended: ReadonlySet<Id<'crt'>> | null;
};

/** Called only for stores whose terms count more than clicks. */
export async function loadPartners(
  tx: Queryable,
  orders: readonly OrderInStore[],
  { stores, ...ofClicks }: ClickOwners & { readonly stores: ReadonlySet<Id<'store'>> },
): Promise<PartnerFacts> {
  return addOwners(tx, await readPartners(tx, orders, stores), ofClicks);
}

/** Reads in one round trip what orders of the stores name, and no statement if they name nothing. */
export async function readPartners(tx: Queryable, orders: readonly OrderInStore[], stores: ReadonlySet<Id<'store'>>) {
  const named = new Map<PartnerReport, Named>();
  const times: Array<ConversionReport['occurredAt']> = [];
  const customers: Array<Pick<StoredBinding, 'storeId' | 'customerHash'>> = [];
  const codeKeys: Array<Pick<CodeOfOrder, 'storeId' | 'codeKey'>> = [];
  for (const order of stores.size === 0 ? [] : orders) {
    const { storeId, report } = order;
    if (!stores.has(storeId) || !namesPartners(report)) continue;
    const one = namedBy(order);
    named.set(report, one);
    times.push(report.occurredAt);
    if (one.customerHash !== null) customers.push({ storeId, customerHash: one.customerHash });
    for (const codeKey of one.codeKeys) codeKeys.push({ storeId, codeKey });
  }
  const [codes, bindings, uses] = await Promise.all([
    codesOfOrders(tx, codeKeys),
    bindingsOfCustomers(tx, customers),
    usesOfCustomers(tx, customers),
  ]);
  return { stores, named, times, codes, bindings, uses };
}

export type ReadPartners = Awaited<ReturnType<typeof readPartners>>;

/** Loads the terms and suspensions of owners that the clicks of the batch did not load; no statement if there are none. */
export async function addOwners(tx: Queryable, read: ReadPartners, ofClicks: ClickOwners): Promise<PartnerFacts> {
  if (read.named.size === 0) return noPartnerFacts;
  const owners = [...read.codes, ...read.bindings];
  const others = owners.filter((owner) => ofClicks.terms(owner, 'unreadable') === undefined);
  const [terms, suspended] = await Promise.all([
    loadTermsOfCreators(tx, others, read.times),
    listSuspendedCreators(tx, ofClicks.suspended === null ? owners : others),
  ]);
  return partnerFacts(read, {
    terms: (owner, at) => ofClicks.terms(owner, at) ?? terms(owner, at),
    suspended: new Set([...(ofClicks.suspended ?? []), ...suspended]),
  });
}

type OfOwners = { readonly terms: TermsOfCreators; readonly suspended: ReadonlySet<Id<'crt'>> };

function partnerFacts({ stores, named, codes, bindings, uses }: ReadPartners, { terms: termsOf, suspended }: OfOwners): PartnerFacts {
  const byKey = new Map(codes.map((code) => [`${code.storeId} ${code.codeKey}`, code]));
  const byCustomer = new Map<string, readonly StoredBinding[]>();
  const used = new Map(uses.map((one) => [`${one.subjectId} ${customerText(one.storeId, one.customerHash)}`, one.used]));
  const addBinding = (binding: StoredBinding) => {
    const name = customerText(binding.storeId, binding.customerHash);
    const others = byCustomer.get(name);
    const all = others === undefined ? [binding] : [...others, binding];
    byCustomer.set(name, all.length === 1 ? all : all.toSorted((one, other) => one.boundAt.getTime() - other.boundAt.getTime()));
  };
  bindings.forEach(addBinding);

  // Kept until an earlier order of the batch adds to the same customer.
  const kept = new Map<PartnerReport, Partners>();
  const changed = new Set<string>();
  const nameOf = (order: OrderInStore): Named => named.get(order.report) ?? namedBy(order);
  const beside = (owner: Pick<StoredBinding, 'programId' | 'creatorId'>, at: ConversionReport['occurredAt']) => ({
    terms: termsOf(owner, at) ?? null,
    isCreatorSuspended: suspended.has(owner.creatorId),
  });
  const of = (order: OrderInStore): Partners | null => {
    const { storeId, report } = order;
    if (!stores.has(storeId) || !namesPartners(report)) return null;
    const { codeKeys, customerHash, customer } = nameOf(order);
    const before = customer !== null && changed.has(customer) ? undefined : kept.get(report);
    if (before !== undefined) return before;
    const usedBy = (subjectId: Id): number => (customer === null || used.size === 0 ? 0 : (used.get(`${subjectId} ${customer}`) ?? 0));
    const factsOf = (code: CodeOfOrder): CodeFacts => ({
      ...code,
      ...beside(code, report.occurredAt),
      customerOrders: usedBy(code.codeId),
    });
    const bindingOf = (binding: StoredBinding): CustomerBinding => ({
      ...binding,
      ...beside(binding, report.occurredAt),
      orders: usedBy(binding.bindingId),
    });
    const partners = {
      codes: codeKeys.flatMap((key) => byKey.get(`${storeId} ${key}`) ?? []).map(factsOf),
      bindings: customer === null ? [] : (byCustomer.get(customer) ?? []).map(bindingOf),
      customerHash,
    };
    kept.set(report, partners);
    return partners;
  };
  const add = (order: Attributed, key: OrderKey): NewPartnerRows => {
    const { customer, customerHash: hash } = nameOf({ storeId: key.storeId, report: order.report });
    const rows = partnerRows(order, key, hash);
    if (customer !== null) changed.add(customer);
    rows.bindings.forEach(addBinding);
    for (const { storeId, customerHash, subjectId, number } of rows.uses)
      used.set(`${subjectId} ${customerText(storeId, customerHash)}`, number);
    return rows;
  };
  return { of, add };
}

function partnerRows(
  { attribution, binding, occurredAt, recordedAt }: Attributed,
  key: OrderKey,
  customerHash: Buffer | null,
): NewPartnerRows {
  if (customerHash === null) return noPartnerRows;
  const { programId, creatorId, linkNumber, use } = attribution.credited;
  const of = { ...key, customerHash };
  const bindingId = newId<'cust'>(recordedAt);
  return {
    bindings: binding === null ? [] : [{ ...of, ...binding, bindingId, programId, creatorId, linkNumber, boundAt: occurredAt }],
    uses: use === null ? [] : [{ ...of, ...use }],
  };
}
