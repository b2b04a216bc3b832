import { resolveClicks, type ResolvedClick } from '../clicks/resolve-clicks.ts';
import type { KeyRing } from '../clicks/signing-keys.ts';
import { lockCommissions } from '../commissions/commissions-sql.ts';
import { contentHash as hashOfContent, isSameContent } from '../contract/content-hash.ts';
import type { Postback } from '../contract/postback-endpoint.ts';
import { newId, timeOfId } from '../core/ids.ts';
import { listSuspendedCreators } from '../creators/suspended-creators-sql.ts';
import type { Transaction } from '../db/database.ts';
import type { Integration } from '../merchants/integration-sql.ts';
import { loadTermsOfCreators } from '../commissions/terms-of-creators.ts';
import type { TermsOfCreator } from '../merchants/applied-rule.ts';
import { storesBeyondClicks } from '../merchants/terms-sql.ts';
import { loadPartners, namesPartners, noPartnerFacts, type PartnerFacts } from '../orders/load-partners.ts';
import type { BindFacts, BoundClick } from './decide-bind.ts';
import type { EarlierEvent, RecurringOperation } from './event.ts';
import { eventsByHash, type EventKey, type StoredEvent } from './events-sql.ts';
import { earlyInvoiceReversals, invoicesByHash } from './invoices-sql.ts';
import type { Invoice, InvoiceKey, LockedCommission, Relationship, RelationshipKey } from './relationship.ts';
import { lockRelationships, relationshipsByHash } from './relationships-sql.ts';
import { eventLists, touchList, type BillingReport, type BindReport, type EndReport, type InvoiceReversalReport } from './report.ts';

/** A report in the batch. */
export type BindItem = { readonly is: 'relationship'; readonly report: BindReport } & Common;
export type BillingItem = { readonly is: 'billing_event'; readonly report: BillingReport; readonly invoiceHash: Buffer } & Common;
export type InvoiceReversalItem = {
  readonly is: 'invoice_reversal';
  readonly report: InvoiceReversalReport;
  readonly invoiceHash: Buffer;
} & Common;
export type EndItem = { readonly is: 'relationship_end'; readonly report: EndReport } & Common;
export type Item = BindItem | BillingItem | InvoiceReversalItem | EndItem;

export type Common = {
  readonly is: RecurringOperation;
  readonly postback: Postback<Integration>;
  /** SHA-256 of the merchant's IDs, by which events and relationships are found. */
  readonly eventHash: Buffer;
  readonly relationshipHash: Buffer;
  /** The same event was decided and stored already, so this item only reads its answer. */
  readonly isCopy: boolean;
};

export const storeOf = (item: Item) => item.postback.integration.storeId;
export const eventKeyOf = (item: Item): EventKey => ({ storeId: storeOf(item), eventHash: item.eventHash });
export const relationshipKeyOf = (item: Item): RelationshipKey => ({ storeId: storeOf(item), relationshipHash: item.relationshipHash });

/** Two reports with a common key never share a batch. An invoice is covered by its relationship. A copy changes nothing. */
export function keysOf(item: Item): readonly string[] {
  if (item.isCopy) return [];
  const storeId = storeOf(item);
  return [`${storeId} event ${item.eventHash.toString('latin1')}`, `${storeId} relationship ${item.relationshipHash.toString('latin1')}`];
}

/** A map key. */
export const eventName = ({ storeId, eventHash }: EventKey): string => `${storeId} ${eventHash.toString('latin1')}`;
export const relationshipName = ({ storeId, relationshipHash }: RelationshipKey): string =>
  `${storeId} ${relationshipHash.toString('latin1')}`;

export type LoadContext = { readonly ring: KeyRing; readonly now: Date; readonly lockWaitMs: number };

/** The facts of each item. An item without facts leaves the batch, because another transaction has locked its row. */
export type Facts = {
  readonly earlier: ReadonlyMap<Item, EarlierEvent>;
  readonly binds: ReadonlyMap<Item, Omit<BindFacts, 'partners'>>;
  /** Read for each bind when it is decided, because an earlier bind of the batch may take a code's or a customer's last use. */
  readonly partners: PartnerFacts;
  readonly relationships: ReadonlyMap<Item, RelationshipFacts>;
};

/**
 * Runs one statement for each question, not for each item, in the global lock order (relationships, then commissions). Facts are read in a
 * later statement than their lock. Replays need no lock.
 */
export async function loadFacts(tx: Transaction, { ring, now, lockWaitMs }: LoadContext, items: readonly Item[]): Promise<Facts> {
  const events = new Map((await eventsByHash(tx, items.map(eventKeyOf))).map((event) => [eventName(event), event]));
  const earlier = new Map<Item, EarlierEvent>();
  for (const item of items) {
    const event = events.get(eventName(eventKeyOf(item)));
    if (event) earlier.set(item, earlierOf(item, event));
  }
  // A copy whose event is missing after all leaves the batch and runs alone.
  const unheard = items.filter((item) => !earlier.has(item) && !(item.isCopy && items.length > 1));
  // A bind never changes an existing relationship.
  const changing = unheard.filter((item) => item.is !== 'relationship');
  // Two round trips, because the rows must be read after they are locked.
  const locked = new Set((await lockRelationships(tx, changing.map(relationshipKeyOf), lockWaitMs)).map(relationshipName));
  const found = new Map((await relationshipsByHash(tx, unheard.map(relationshipKeyOf))).map((one) => [relationshipName(one), one]));
  const relationshipOf = (item: Item): Relationship | null => found.get(relationshipName(relationshipKeyOf(item))) ?? null;

  const open = changing.filter((item) => relationshipOf(item) === null || locked.has(relationshipName(relationshipKeyOf(item))));
  const relationships = await loadRelationshipFacts(
    tx,
    lockWaitMs,
    open.map((item) => ({ item, relationship: relationshipOf(item) })),
  );
  const binding = unheard.filter((item): item is BindItem => item.is === 'relationship');
  const { binds, partners } = await loadBindFacts(
    tx,
    { ring, now },
    binding.map((item) => ({ item, before: relationshipOf(item) })),
  );
  return { earlier, binds, partners, relationships };
}

/** An event of another operation always has other content. */
function earlierOf(
  item: Item,
  { operation, contentHash, receivedAt, reason, recordedEventId, bindingId, commissionId }: StoredEvent,
): EarlierEvent {
  const isSame = operation === item.is && isSameContent(contentHash, eventLists[operation], item.report.content);
  if (reason !== 'recorded' && reason !== 'no_matching_subscription_rule') return { receivedAt, isSame, answer: null };
  return { receivedAt, isSame, answer: { reason, eventId: recordedEventId, bindingId, commissionId } };
}

type Binding = { readonly item: BindItem; readonly before: Relationship | null };

/** The report of a bind as codes and customers are found by it: as for an order, at the time of the bind. */
export const asOrder = (item: BindItem, now: Date) => {
  const { report } = item;
  const { partners, environment, occurredAt, content } = report;
  return {
    storeId: storeOf(item),
    report: {
      isTest: environment === 'test',
      discountCode: partners?.discountCode ?? null,
      discountCodes: partners?.discountCodes ?? null,
      customerId: partners?.customerId ?? null,
      occurredAt: occurredAt ?? now,
      content,
    },
  };
};

async function loadBindFacts(
  tx: Transaction,
  { ring, now }: { readonly ring: KeyRing; readonly now: Date },
  bindings: readonly Binding[],
): Promise<Pick<Facts, 'binds' | 'partners'>> {
  const binds = new Map<Item, Omit<BindFacts, 'partners'>>();
  if (bindings.length === 0) return { binds, partners: noPartnerFacts };
  const wanted = bindings.map(({ item }) => ({ storeId: storeOf(item), text: item.report.clickId }));
  const seen = await resolveClicks(tx, ring, wanted);
  const orders = bindings.map(({ item }) => asOrder(item, now));
  const [termsOf, stores] = await Promise.all([
    loadTermsOfCreators(
      tx,
      seen.filter((click) => click?.kind === 'referral'),
      orders.map(({ report }) => report.occurredAt),
    ),
    storesBeyondClicks(
      tx,
      orders.filter(({ report }) => namesPartners(report)),
    ),
  ]);
  const partners = stores.size === 0 ? noPartnerFacts : await loadPartners(tx, orders, { stores, terms: termsOf, suspended: null });
  for (const [place, { item, before }] of bindings.entries()) {
    const click = seen[place] ?? null;
    binds.set(item, {
      now,
      key: relationshipKeyOf(item),
      earlier: null,
      click: click && boundClickOf(click, click.kind === 'test' ? null : (termsOf(click, item.report.occurredAt ?? now, click.at) ?? null)),
      before,
      touchHash: hashOfContent(touchList, item.report.content),
      fresh: { bindingId: newId<'bind'>(now), eventId: newId<'evt'>(now) },
    });
  }
  return { binds, partners };
}

/** A click ID contains its time. */
function boundClickOf(click: ResolvedClick, terms: TermsOfCreator | null): BoundClick {
  return click.kind === 'test' ? { ...click, at: timeOfId(click.clickId) } : { ...click, terms };
}

/** A relationship, read under its row lock, with the reported invoice and its commission. */
export type RelationshipFacts = {
  readonly relationship: Relationship | null;
  readonly invoice: Invoice | null;
  readonly commission: LockedCommission | null;
  readonly wasReversedEarly: boolean;
  readonly isCreatorSuspended: boolean;
};

type Held = { readonly item: Item; readonly relationship: Relationship | null };

/** The caller must hold the locks of the relationships. Leaves out items whose commission is locked by another transaction. */
export async function loadRelationshipFacts(
  tx: Transaction,
  lockWaitMs: number,
  held: readonly Held[],
): Promise<ReadonlyMap<Item, RelationshipFacts>> {
  const facts = new Map<Item, RelationshipFacts>();
  if (held.length === 0) return facts;
  const keys = held.flatMap(({ item, relationship }) => keyOf(item, relationship) ?? []);
  const creators = held.flatMap(({ relationship }) =>
    relationship?.attribution.environment === 'live'
      ? [{ storeId: relationship.storeId, creatorId: relationship.attribution.creatorId }]
      : [],
  );
  // One round trip.
  const [known, remembered, suspended] = await Promise.all([
    invoicesByHash(tx, keys),
    earlyInvoiceReversals(tx, keys),
    listSuspendedCreators(tx, creators),
  ]);
  const invoices = new Map(known.map((invoice) => [nameOf(invoice), invoice]));
  const early = new Set(remembered.map(nameOf));
  const invoiceOf = (item: Item, relationship: Relationship | null): Invoice | null => {
    const key = keyOf(item, relationship);
    return (key && invoices.get(nameOf(key))) ?? null;
  };
  const commissions = await lockInvoiceCommissions(
    tx,
    held.flatMap(({ item, relationship }) => (item.is === 'invoice_reversal' ? (invoiceOf(item, relationship) ?? []) : [])),
    lockWaitMs,
  );

  for (const { item, relationship } of held) {
    const invoice = invoiceOf(item, relationship);
    const commissionId = invoice && commissionIdOf(invoice);
    const commission = (commissionId && commissions.get(commissionId)) ?? null;
    if (item.is === 'invoice_reversal' && commissionId !== null && commission === null) continue;
    const key = keyOf(item, relationship);
    facts.set(item, {
      relationship,
      invoice,
      commission,
      wasReversedEarly: key !== null && early.has(nameOf(key)),
      isCreatorSuspended: relationship?.attribution.environment === 'live' && suspended.has(relationship.attribution.creatorId),
    });
  }
  return facts;
}

/** Null if the item names no invoice, or its relationship is unknown. */
function keyOf(item: Item, relationship: Relationship | null): InvoiceKey | null {
  if (relationship === null || (item.is !== 'billing_event' && item.is !== 'invoice_reversal')) return null;
  return { storeId: relationship.storeId, bindingId: relationship.bindingId, invoiceHash: item.invoiceHash };
}

const nameOf = ({ storeId, bindingId, invoiceHash }: InvoiceKey): string => `${storeId} ${bindingId} ${invoiceHash.toString('latin1')}`;

const commissionIdOf = ({ payment }: Invoice) =>
  payment.state === 'paid' && payment.earns.is === 'commission' ? payment.earns.commissionId : null;

async function lockInvoiceCommissions(
  tx: Transaction,
  invoices: readonly Invoice[],
  lockWaitMs: number,
): Promise<ReadonlyMap<string, LockedCommission>> {
  const keys = invoices.flatMap((invoice) => {
    const commissionId = commissionIdOf(invoice);
    return commissionId === null ? [] : [{ storeId: invoice.storeId, commissionId }];
  });
  const locked = keys.length === 0 ? [] : await lockCommissions(tx, keys, lockWaitMs);
  return new Map(
    locked.map(({ commissionId, creatorId, state, heldReason, amountCents }) => [
      commissionId,
      { commissionId, creatorId, state, held: heldReason, amount: amountCents },
    ]),
  );
}
