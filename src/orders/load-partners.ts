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

/** What the batch already loaded for its clicks, whose creators later orders of the batch may be bound to. */
type ClickOwners = {
  readonly stores: ReadonlySet<Id<'store'>>;
  readonly terms: TermsOfCreators;
  readonly suspended: ReadonlySet<Id<'crt'>>;
};

/** Runs one statement for each question; called only for stores whose terms count more than clicks. */
export async function loadPartners(
  tx: Queryable,
  orders: readonly OrderInStore[],
  { stores, ...ofClicks }: ClickOwners,
): Promise<PartnerFacts> {
  const ofStores = orders.filter(({ storeId, report }) => stores.has(storeId) && namesPartners(report));
  return ofStores.length === 0 ? noPartnerFacts : partnerFacts(await readPartners(tx, ofStores), { stores, ...ofClicks });
}

async function readPartners(tx: Queryable, orders: readonly OrderInStore[]) {
  const customers = orders.flatMap(({ storeId, report }) => {
    const customerHash = customerHashOf(report);
    return customerHash === null ? [] : [{ storeId, customerHash }];
  });
  const [codes, bindings, uses] = await Promise.all([
    codesOfOrders(
      tx,
      orders.flatMap(({ storeId, report }) => codeKeysOf(report).map((codeKey) => ({ storeId, codeKey }))),
    ),
    bindingsOfCustomers(tx, customers),
    usesOfCustomers(tx, customers),
  ]);
  const owners = [...codes, ...bindings];
  const times = orders.map(({ report }) => report.occurredAt);
  const [terms, suspended] = await Promise.all([loadTermsOfCreators(tx, owners, times), listSuspendedCreators(tx, owners)]);
  return { codes, bindings, uses, terms, suspended };
}

type StoredPartners = Awaited<ReturnType<typeof readPartners>>;

function partnerFacts({ codes, bindings, uses, ...ofOwners }: StoredPartners, { stores, ...ofClicks }: ClickOwners): PartnerFacts {
  const termsOf: TermsOfCreators = (owner, at) => ofClicks.terms(owner, at) ?? ofOwners.terms(owner, at);
  const suspended = new Set([...ofClicks.suspended, ...ofOwners.suspended]);
  const byKey = new Map(codes.map((code) => [`${code.storeId} ${code.codeKey}`, code]));
  const byCustomer = new Map<string, StoredBinding[]>();
  const used = new Map(uses.map((one) => [`${one.subjectId} ${customerText(one.storeId, one.customerHash)}`, one.used]));
  const addBinding = (binding: StoredBinding) => {
    const name = customerText(binding.storeId, binding.customerHash);
    byCustomer.set(
      name,
      [...(byCustomer.get(name) ?? []), binding].toSorted((one, other) => one.boundAt.getTime() - other.boundAt.getTime()),
    );
  };
  bindings.forEach(addBinding);

  const beside = (owner: Pick<StoredBinding, 'programId' | 'creatorId'>, at: ConversionReport['occurredAt']) => ({
    terms: termsOf(owner, at) ?? null,
    isCreatorSuspended: suspended.has(owner.creatorId),
  });
  const of = ({ storeId, report }: OrderInStore): Partners | null => {
    if (!stores.has(storeId) || !namesPartners(report)) return null;
    const customerHash = customerHashOf(report);
    const customer = customerHash === null ? null : customerText(storeId, customerHash);
    const usedBy = (subjectId: Id): number => (customer === null ? 0 : (used.get(`${subjectId} ${customer}`) ?? 0));
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
    return {
      codes: codeKeysOf(report)
        .flatMap((key) => byKey.get(`${storeId} ${key}`) ?? [])
        .map(factsOf),
      bindings: customer === null ? [] : (byCustomer.get(customer) ?? []).map(bindingOf),
      customerHash,
    };
  };
  const add = (order: Attributed, key: OrderKey): NewPartnerRows => {
    const rows = partnerRows(order, key);
    rows.bindings.forEach(addBinding);
    for (const { storeId, customerHash, subjectId, number } of rows.uses)
      used.set(`${subjectId} ${customerText(storeId, customerHash)}`, number);
    return rows;
  };
  return { of, add };
}

function partnerRows({ attribution, binding, report, occurredAt, recordedAt }: Attributed, key: OrderKey): NewPartnerRows {
  const customerHash = customerHashOf(report);
  if (customerHash === null) return noPartnerRows;
  const { programId, creatorId, linkNumber, use } = attribution.credited;
  const of = { ...key, customerHash };
  const bindingId = newId<'cust'>(recordedAt);
  return {
    bindings: binding === null ? [] : [{ ...of, ...binding, bindingId, programId, creatorId, linkNumber, boundAt: occurredAt }],
    uses: use === null ? [] : [{ ...of, ...use }],
  };
}
