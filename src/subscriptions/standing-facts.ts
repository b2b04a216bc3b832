import { lockCommissions } from '../commissions/sql.ts';
import { suspendedCreators } from '../creators/standing-sql.ts';
import type { Transaction } from '../platform/database/database.ts';
import { earlyInvoiceReversals, invoicesByHash } from './invoices-sql.ts';
import type { Item } from './item.ts';
import type { Invoice, InvoiceKey, Relationship, StandingCommission } from './relationship.ts';

/** A relationship as it stands under its row's lock, with the invoice that is reported and what that opened. */
export type Standing = {
  readonly relationship: Relationship | null;
  readonly invoice: Invoice | null;
  readonly commission: StandingCommission | null;
  readonly wasReversedEarly: boolean;
  readonly isCreatorSuspended: boolean;
};

type Held = { readonly item: Item; readonly relationship: Relationship | null };

/** Who calls this holds the relationships. An item whose commission somebody else holds is left out. */
export async function standingFacts(tx: Transaction, lockWaitMs: number, held: readonly Held[]): Promise<ReadonlyMap<Item, Standing>> {
  const facts = new Map<Item, Standing>();
  if (held.length === 0) return facts;
  const keys = held.flatMap(({ item, relationship }) => keyOf(item, relationship) ?? []);
  const creatorIds = held.flatMap(({ relationship }) => (relationship?.claim.environment === 'live' ? [relationship.claim.creatorId] : []));
  // All in one round trip.
  const [known, remembered, suspended] = await Promise.all([
    invoicesByHash(tx, keys),
    earlyInvoiceReversals(tx, keys),
    suspendedCreators(tx, creatorIds),
  ]);
  const invoices = new Map(known.map((invoice) => [nameOf(invoice), invoice]));
  const early = new Set(remembered.map(nameOf));
  const invoiceOf = (item: Item, relationship: Relationship | null): Invoice | null => {
    const key = keyOf(item, relationship);
    return (key && invoices.get(nameOf(key))) ?? null;
  };
  const commissions = await standingCommissions(
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
      isCreatorSuspended: relationship?.claim.environment === 'live' && suspended.has(relationship.claim.creatorId),
    });
  }
  return facts;
}

/** Null where no invoice is named, or its relationship is unknown. */
function keyOf(item: Item, relationship: Relationship | null): InvoiceKey | null {
  if (relationship === null || (item.is !== 'billing_event' && item.is !== 'invoice_reversal')) return null;
  return { storeId: relationship.storeId, bindingId: relationship.bindingId, invoiceHash: item.invoiceHash };
}

const nameOf = ({ storeId, bindingId, invoiceHash }: InvoiceKey): string => `${storeId} ${bindingId} ${invoiceHash.toString('latin1')}`;

const commissionIdOf = ({ standing }: Invoice) =>
  standing.state === 'paid' && standing.earns.is === 'commission' ? standing.earns.commissionId : null;

async function standingCommissions(
  tx: Transaction,
  invoices: readonly Invoice[],
  lockWaitMs: number,
): Promise<ReadonlyMap<string, StandingCommission>> {
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
