import { describe, expect, test } from 'vitest';
import { chargeStates, chargeTransitions, isOpenCharge, type ChargeEvent, type ChargeState } from '../../src/billing/charge-states.ts';
import { markSending, transitionCharge } from '../../src/billing/charges-sql.ts';
import { decideCharge, type ChargeDecision, type ChargeOutcome } from '../../src/billing/decide-charge.ts';
import {
  chargeableStates,
  eventAfterFailure,
  invoiceStates,
  invoiceStatesWithCharge,
  invoiceTransitions,
  type InvoiceEvent,
  type InvoiceState,
} from '../../src/billing/invoice-states.ts';
import type { Invoice } from '../../src/billing/invoice.ts';
import { changeInvoice, invoiceColumns, markIssued, type InvoiceChange } from '../../src/billing/invoices-sql.ts';
import { type Id, newId } from '../../src/core/ids.ts';
import { never } from '../../src/core/invariant.ts';
import { cents } from '../../src/core/money.ts';
import { stateAfterEvent } from '../../src/core/state-machine.ts';
import type { Transaction } from '../../src/db/database.ts';
import { sql } from '../../src/db/sql.ts';
import { openSharedMerchant } from '../support/merchant.ts';
import { otherStateWriters, stateAfterWrite } from '../support/transitions.ts';

const merchant = await openSharedMerchant();

const at = new Date('2026-03-01T12:00:00.000Z');
const invoiceId = newId<'inv'>(at);
const chargeId = newId<'chg'>(at);
const invoiceKey = () => ({ storeId: merchant.storeId, invoiceId });
const chargeKey = () => ({ storeId: merchant.storeId, chargeId });

const amounts = {
  number: 1n,
  issuedAt: at,
  linesCount: 1,
  linesCents: cents(5_000),
  feeBasisPoints: 0,
  feeCents: cents(0),
  creditCents: cents(0),
  totalCents: cents(5_000),
};

/** Inserts an invoice in a state, with the columns that the state requires. */
async function arrangeInvoice(tx: Transaction, state: InvoiceState): Promise<void> {
  const { storeId } = merchant;
  await tx.run(sql`insert into invoices (store_id, invoice_id, state, began_at) values (${storeId}, ${invoiceId}, 'gathering', ${at})`);
  if (state === 'gathering') return;
  await markIssued(tx, invoiceKey(), amounts, at);
  await tx.run(sql`
    update invoices set state = ${state}, paid_at = ${state === 'paid' ? at : null}, voided_at = ${state === 'void' ? at : null},
      charged_back_at = ${state === 'charged_back' ? at : null}
    where store_id = ${storeId} and invoice_id = ${invoiceId}`);
}

async function change(tx: Transaction, event: InvoiceEvent, changes: InvoiceChange): Promise<void> {
  const { storeId } = merchant;
  const invoice = await tx.one<Invoice>(
    sql`select ${invoiceColumns} from invoices where store_id = ${storeId} and invoice_id = ${invoiceId}`,
  );
  await changeInvoice(tx, invoice, event, changes);
}

/** The columns that each event sets because the table requires them. */
const invoiceChanges: Readonly<Record<Exclude<InvoiceEvent, 'issue'>, InvoiceChange>> = {
  charge: {},
  accept: {},
  loseAnswer: {},
  pay: { paidAt: at },
  restore: {},
  retry: {},
  fallPastDue: { pastDueAt: at },
  failAfterChargeback: { chargedBackAt: at },
  chargeBack: { paidAt: null, collectedAt: null, chargedBackAt: at },
  void: { voidedAt: at },
  writeOff: { writtenOffCents: cents(10) },
  collect: { collectedAt: at },
};

const writeInvoice = (event: InvoiceEvent) => async (tx: Transaction) => {
  if (event !== 'issue') return change(tx, event, invoiceChanges[event]);
  await markIssued(tx, invoiceKey(), amounts, at);
};

const readInvoice = (tx: Transaction) =>
  tx.one<{ state: string; version: string }>(
    sql`select state, ctid::text as version from invoices where store_id = ${merchant.storeId} and invoice_id = ${invoiceId}`,
  );

describe('an invoice', () => {
  const events = Object.keys(invoiceTransitions) as readonly InvoiceEvent[];
  const cases = events.flatMap((event) => invoiceStates.map((state) => [event, state] as const));

  test.each(cases)('"%s" of an invoice that is %s does what the table says', async (event, state) => {
    const write = { arrange: (tx: Transaction) => arrangeInvoice(tx, state), write: writeInvoice(event), read: readInvoice };
    const after = await stateAfterWrite(merchant.database, write);
    expect(after).toBe(stateAfterEvent<InvoiceState>(state, invoiceTransitions[event]));
  });

  test('the event after a failed charge leads to the state that the decision names', () => {
    for (const state of chargeableStates) expect(invoiceTransitions[eventAfterFailure[state]].to).toBe(state);
  });

  test('every statement that changes the state of an invoice takes it from the table', () => {
    const { statements, others } = otherStateWriters('invoices');
    expect([statements, others]).toEqual([2, []]);
  });
});

const end = (endedAt: Date | null) => ({ providerId: null, code: null, message: null, endedAt });

const writeCharge = (event: ChargeEvent) => (tx: Transaction) => {
  if (event === 'send' || event === 'sendAgain') return markSending(tx, chargeKey(), at);
  const { to } = chargeTransitions[event];
  return transitionCharge(tx, chargeKey(), event, end(isOpenCharge(to) ? null : at));
};

async function arrangeCharge(tx: Transaction, state: ChargeState): Promise<void> {
  await arrangeInvoice(tx, 'charging');
  const paymentMethodId: Id<'pm'> = newId<'pm'>(at);
  await tx.run(sql`
    insert into charges (store_id, charge_id, invoice_id, state, amount_cents, payment_method_id, provider, instrument, description,
      is_backup, invoice_was, made_at, called_at, ended_at)
    values (${merchant.storeId}, ${chargeId}, ${invoiceId}, ${state}, 5000, ${paymentMethodId}, 'sandbox', 'ok', 'Tributary', false,
      'issued', ${at}, ${state === 'ready' ? null : at}, ${isOpenCharge(state) ? null : at})`);
}

const readCharge = (tx: Transaction) =>
  tx.one<{ state: string; version: string }>(
    sql`select state, ctid::text as version from charges where store_id = ${merchant.storeId} and charge_id = ${chargeId}`,
  );

const outcomes: readonly ChargeOutcome[] = [
  { is: 'succeeded', providerId: 'pi_1' },
  { is: 'declined', providerId: null, code: 'card_declined', message: 'Declined.' },
  { is: 'pending', providerId: 'pi_1' },
  { is: 'unknown', why: 'no answer' },
  { is: 'absent' },
];

/** Every decision about a charge in a state. */
const decisionsOf = (state: ChargeState): readonly ChargeDecision[] =>
  outcomes.flatMap((outcome) =>
    chargeableStates.flatMap((invoiceWas) =>
      [0, 1, 2, 3, 4].flatMap((failures) =>
        [true, false].map((isBackup) => {
          const invoice = { failures, firstFailedAt: failures === 0 ? null : at, isTakenCareOf: false };
          return decideCharge(outcome, { now: at, charge: { state, isBackup, invoiceWas }, invoice });
        }),
      ),
    ),
  );

const isLegal = (state: ChargeState, decision: ChargeDecision): boolean => {
  const after = (event: ChargeEvent) => stateAfterEvent<ChargeState>(state, chargeTransitions[event]);
  switch (decision.do) {
    case 'wait':
      return after(decision.charge === 'pending' ? 'accept' : 'loseAnswer') === decision.charge;
    case 'collect':
    case 'raise alarm':
      return after('succeed') === 'succeeded';
    case 'fail': {
      const { to, from } = invoiceTransitions[eventAfterFailure[decision.invoice.state]];
      const canFail = invoiceStatesWithCharge.every((before) => from.some((one) => one === before));
      return (
        after(decision.charge === 'declined' ? 'decline' : 'neverArrive') === decision.charge && canFail && to === decision.invoice.state
      );
    }
    case 'nothing':
      return true;
    default:
      return never(decision);
  }
};

describe('a charge', () => {
  const events = Object.keys(chargeTransitions) as readonly ChargeEvent[];
  const cases = events.flatMap((event) => chargeStates.map((state) => [event, state] as const));

  test.each(cases)('"%s" of a charge that is %s does what the table says', async (event, state) => {
    const write = { arrange: (tx: Transaction) => arrangeCharge(tx, state), write: writeCharge(event), read: readCharge };
    // One statement sends a charge for the first time and again.
    const written = event === 'send' && state !== 'ready' ? 'sendAgain' : event === 'sendAgain' && state === 'ready' ? 'send' : event;
    expect(await stateAfterWrite(merchant.database, write)).toBe(stateAfterEvent<ChargeState>(state, chargeTransitions[written]));
  });

  test.each(chargeStates)('every decision about a charge that is %s is an event that may happen to it and to its invoice', (state) => {
    expect(decisionsOf(state).filter((decision) => !isLegal(state, decision))).toEqual([]);
  });

  test('every statement that changes the state of a charge takes it from the table', () => {
    const { statements, others } = otherStateWriters('charges');
    expect(statements).toBeGreaterThan(3);
    expect(others).toEqual([]);
  });
});
