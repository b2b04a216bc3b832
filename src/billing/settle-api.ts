import { Type as T, type Static } from 'typebox';
import { endpoint } from '../people/endpoint.ts';
import { isTransaction, type Queryable } from '../platform/database/database.ts';
import { notFound, refuse, type Refusal } from '../platform/http/answers.ts';
import { isoTime } from '../platform/http/fields.ts';
import { publicId } from '../platform/ids.ts';
import { must, never } from '../platform/must.ts';
import type { Providers } from '../providers/providers.ts';
import { chargeInvoice } from './charge.ts';
import { findCharge, type Charge } from './charges-sql.ts';
import { collectInvoice } from './collect.ts';
import { decideByHand, handOutcomes, surelyNeverMadeAt, type HandDecision, type HandOutcome } from './decide-by-hand.ts';
import type { ChargeOutcome } from './decide-charge.ts';
import { shownInvoiceStates } from './invoice.ts';
import { findInvoice } from './invoices-sql.ts';
import { settleLocked } from './settle.ts';

const textLengthMax = 200;
const text = () => T.String({ minLength: 1, maxLength: textLengthMax, pattern: String.raw`^(?=.*\S)[^\u0000\p{Cs}]+$` });

const body = T.Object(
  {
    outcome: T.Enum([...handOutcomes], { description: "As the provider's own list has it" }),
    provider_id: T.Optional(T.Union([text(), T.Null()], { description: "The provider's name of the charge; required where it succeeded" })),
    note: text(),
  },
  { additionalProperties: false },
);

const reply = T.Object({ charge_id: T.String(), invoice_id: T.String(), invoice_state: T.Enum([...shownInvoiceStates]) });

/** For what no look-up settles: a person who has seen the provider's list says how it ended, and stands for it in the audit log. */
export const settleChargeByHand = (providers: Providers) =>
  endpoint({
    summary: "Say how a charge of unknown end has ended, as the provider's own list has it",
    access: { who: 'operator' },
    proof: true,
    ids: { store: 'store', charge: 'chg' },
    body,
    reply,
    audit: 'charge.settled_by_hand',
    async handle({ platform, db, ids, body: asked, now }) {
      must(isTransaction(db), 'a charge is settled in a transaction');
      const key = { storeId: ids.store, chargeId: ids.charge };
      const charge = await findCharge(db, key);
      if (charge === null) return notFound;
      const { outcome, provider_id: providerId = null, note } = asked;
      const provider = providers.chargeProvider(charge.provider);
      const decision = decideByHand({ now, charge, outcome, providerId, provider });
      if (decision !== 'go') return refusalOf(decision, surelyNeverMadeAt(charge, provider));
      await settleLocked(db, platform, { key, outcome: outcomeOf(outcome, providerId, note), now });
      return settledJson(db, charge);
    },
    /** What is paid is collected; where the backup came to nothing, the other method is tried at once. Both look under a lock. */
    async afterCommit({ platform, ids, now }) {
      platform.reached('billing: a charge is settled');
      const { database } = platform;
      const charge = await findCharge(database, { storeId: ids.store, chargeId: ids.charge });
      const invoice = charge && (await findInvoice(database, charge));
      must(charge && invoice, 'neither is ever deleted');
      await collectInvoice(platform, invoice, now);
      if (invoice.isBackupTried) await chargeInvoice({ platform, providers }, invoice, 'due');
      return settledJson(database, charge);
    },
  });

async function settledJson(db: Queryable, charge: Charge): Promise<Static<typeof reply>> {
  const invoice = await findInvoice(db, charge);
  must(invoice, 'a charge has an invoice');
  return {
    charge_id: publicId('chg', charge.chargeId),
    invoice_id: publicId('inv', charge.invoiceId),
    invoice_state: invoice.state,
  };
}

function refusalOf(decision: Exclude<HandDecision, 'go'>, sureAt: Date): Refusal {
  switch (decision) {
    case 'not_open':
      return refuse('conflict', 'The end of this charge is known already.');
    case 'in_flight':
      return refuse('conflict', 'It is being sent at this moment. Wait a minute: then the provider has said how it ends, or nobody knows.');
    case 'accepted':
      return refuse('conflict', 'The provider has accepted this charge, so it was made. Say how it ended, once the provider does.');
    case 'may_still_be_made':
      return refuse(
        'conflict',
        `It is still sent again under its key, so it may yet be made. Look again after ${isoTime(sureAt)}: then its absence proves it.`,
      );
    case 'without_its_name':
      return refuse('invalid_request', 'The body is not right; see errors.', [
        { field: 'provider_id', message: 'says which charge of the provider it was' },
      ]);
    default:
      return never(decision);
  }
}

function outcomeOf(outcome: HandOutcome, providerId: string | null, note: string): ChargeOutcome {
  if (outcome === 'never_made') return { is: 'absent' };
  if (outcome === 'declined') return { is: 'declined', providerId, code: 'by_hand', message: note };
  must(providerId !== null, 'who says that it succeeded says which one it was');
  return { is: 'succeeded', providerId };
}
