import { Type as T } from 'typebox';
import type { Static } from '../core/static.ts';
import { endpoint } from '../people/endpoint.ts';
import { isTransaction } from '../db/database.ts';
import { notFound, refuse } from '../http/responses.ts';
import { centsField, isoTime, namedObject, idField } from '../http/fields.ts';
import { publicId, readPublicId } from '../core/ids.ts';
import { invariant } from '../core/invariant.ts';
import type { Providers } from '../payments/providers.ts';
import { collectInvoice } from './collect-invoice.ts';
import { issueCreditNotes } from './issue-credit-note.ts';
import { type CreditNote, listCreditNotes, type ListedNote } from './credit-notes-sql.ts';
import { creditWords } from './decide-credit-note.ts';
import { undoDisputes } from './chargebacks.ts';
import { creditNoteName } from './invoice.ts';
import { shownInvoiceStates } from './invoice-states.ts';
import { findInvoice } from './invoices-sql.ts';
import { chargeMinOf } from './issue-invoice.ts';
import { listEndpoint } from '../people/list-endpoint.ts';
import { apiMessage } from '../messages/api-message.ts';

const linesMax = 1_000;
const reasonLengthMax = 500;

const noteFields = {
  id: T.String(),
  number: T.String(),
  invoice_id: T.String(),
  kind: T.Enum(['before', 'after'], {
    description: 'Before payment, it reduces the amount due; after payment, it is credit for the next invoices',
  }),
  reason: T.String(),
  lines_cents: centsField(),
  fee_cents: centsField('The platform fee on these commissions'),
  credit_returned_cents: centsField('Credit that the invoice had used and that is returned'),
  by_name: T.String(),
  at: T.String(),
};
export const noteJson = T.Object(noteFields);
const listedNoteJson = namedObject('CreditNote', {
  ...noteFields,
  lines: T.Array(T.Object({ commission_id: T.String(), amount_cents: centsField(), operator_bears: T.Boolean() })),
});

export const showNote = (note: CreditNote): Static<typeof noteJson> => ({
  id: publicId('cn', note.creditNoteId),
  number: creditNoteName(note.number),
  invoice_id: publicId('inv', note.invoiceId),
  kind: note.kind,
  reason: note.reason,
  lines_cents: note.linesCents,
  fee_cents: note.feeCents,
  credit_returned_cents: note.creditCents,
  by_name: note.madeByName,
  at: isoTime(note.at),
});

const showListed = (note: ListedNote): Static<typeof listedNoteJson> => ({
  ...showNote(note),
  lines: note.lines.map(({ commissionId, amountCents, isBorne }) => ({
    commission_id: publicId('com', commissionId),
    amount_cents: BigInt(amountCents),
    operator_bears: isBorne,
  })),
});

const textPattern = String.raw`^(?=.*\S)[^\u0000\p{Cs}]+$`;
const body = T.Object(
  {
    commission_ids: T.Array(idField(), { minItems: 1, maxItems: linesMax }),
    reason: T.String({ minLength: 1, maxLength: reasonLengthMax, pattern: textPattern }),
    operator_bears: T.Optional(
      T.Boolean({
        description: 'Also credit commissions that were paid to creators: the store gets the amount back, and the creator keeps it',
      }),
    ),
  },
  { additionalProperties: false },
);
const reply = namedObject('CreditResult', {
  invoice_state: T.Enum([...shownInvoiceStates]),
  credit_notes: T.Array(noteJson, { description: 'The new credit notes; empty if there was nothing to credit' }),
  results: T.Record(T.String(), T.Enum([...creditWords]), { description: 'The result of each ID' }),
});

export const createCreditNote = (providers: Providers) =>
  endpoint({
    summary: 'Credit commissions of an issued invoice, for refunds that came too late for a reversal',
    access: { allow: 'operator' },
    proof: true,
    ids: { store: 'store', invoice: 'inv' },
    body,
    reply,
    audit: 'invoice.credit',
    /** Unfinished collections and reversals are completed first. */
    async prepare({ platform, ids }) {
      const key = { storeId: ids.store, invoiceId: ids.invoice };
      if ((await findInvoice(platform.database, key)) === null) return notFound;
      await undoDisputes(platform, ids.store);
      await collectInvoice(platform, key);
      return { chargeMin: await chargeMinOf(platform.database, providers, ids.store) };
    },
    async handle({ db, ids, body: request, identity, now, prepared }) {
      invariant(isTransaction(db), 'a credit note is created in a transaction');
      const named = [...new Set(request.commission_ids)].map((text) => ({ text, id: readPublicId('com', text) }));
      const ended = await issueCreditNotes(db, {
        storeId: ids.store,
        invoiceId: ids.invoice,
        commissionIds: named.flatMap(({ id }) => id ?? []),
        now,
        reason: request.reason,
        operatorBears: request.operator_bears ?? false,
        by: { actor: identity.actor, name: identity.name },
        chargeMin: prepared.chargeMin,
      });
      if (ended === null) return notFound;
      if (ended.invoice.state === 'charging' || ended.invoice.state === 'unknown')
        return refuse('conflict', apiMessage('credit_notes_api.invoice_being_charged_and_result'));
      return {
        invoice_state: ended.invoice.state,
        credit_notes: ended.notes.map(showNote),
        results: Object.fromEntries(named.map(({ text, id }) => [text, (id && ended.words.get(id)) ?? 'not_found'])),
      };
    },
    async afterCommit({ platform, ids }, made) {
      await collectInvoice(platform, { storeId: ids.store, invoiceId: ids.invoice });
      return made;
    },
  });

const numberShape = /^\d{1,18}$/;

export const listCreditNotesEndpoint = listEndpoint({
  summary: 'List the credit notes of the store, newest first',
  access: { allow: 'store', permission: 'store:read' },
  item: listedNoteJson,
  rows: ({ db, ids }, page) => listCreditNotes(db, ids.store, page),
  renderer: () => showListed,
  key: ({ number }) => [String(number)],
  keyShapes: [numberShape],
});
