import { Type as T } from 'typebox';
import { endpoint } from '../people/endpoint.ts';
import { notFound, refuse } from '../platform/http/answers.ts';
import { publicId } from '../platform/ids.ts';
import { must } from '../platform/must.ts';
import { minuteMs } from '../platform/time.ts';
import type { Providers } from '../providers/providers.ts';
import { chargeInvoice } from './charge.ts';
import { findCharge, type Charge } from './charges-sql.ts';
import type { ChargeOutcome } from './decide-charge.ts';
import { shownInvoiceStates } from './invoice.ts';
import { findInvoice } from './invoices-sql.ts';
import { settle } from './settle.ts';

const textLengthMax = 200;
const text = () => T.String({ minLength: 1, maxLength: textLengthMax, pattern: String.raw`^(?=.*\S)[^\u0000\p{Cs}]+$` });

const body = T.Object(
  {
    outcome: T.Enum(['succeeded', 'declined', 'never_made'], { description: "As the provider's own list has it" }),
    provider_id: T.Optional(T.Union([text(), T.Null()], { description: "The provider's name of the charge; required where it succeeded" })),
    note: text(),
  },
  { additionalProperties: false },
);

/** For what no look-up settles: a person who has seen the provider's list says how it ended, and stands for it in the audit log. */
export const settleChargeByHand = (providers: Providers) =>
  endpoint({
    summary: "Say how a charge of unknown end has ended, as the provider's own list has it",
    access: { who: 'operator' },
    ids: { store: 'store', charge: 'chg' },
    body,
    reply: T.Object({ charge_id: T.String(), invoice_id: T.String(), invoice_state: T.Enum([...shownInvoiceStates]) }),
    inTransaction: false,
    audit: 'charge.settled_by_hand',
    async handle({ platform, ids, body: asked, now }) {
      const key = { storeId: ids.store, chargeId: ids.charge };
      const { database } = platform;
      const charge = await findCharge(database, key);
      if (charge === null) return notFound;
      if (charge.state !== 'unknown' && charge.state !== 'sending' && charge.state !== 'pending')
        return refuse('conflict', 'The end of this charge is known already.');
      const { outcome, provider_id: providerId = null, note } = asked;
      if (charge.state === 'sending' && isInFlight(charge, now))
        return refuse(
          'conflict',
          'It is being sent at this moment. Wait a minute: then the provider has said how it ends, or nobody knows.',
        );
      if (charge.state === 'pending' && outcome === 'never_made')
        return refuse('conflict', 'The provider has accepted this charge, so it was made. Say how it ended, once the provider does.');
      if (outcome === 'succeeded' && providerId === null)
        return refuse('invalid_request', 'The body is not right; see errors.', [
          { field: 'provider_id', message: 'says which charge of the provider it was' },
        ]);
      const isAgain = await settle(platform, key, outcomeOf(outcome, providerId, note), now);
      if (isAgain) await chargeInvoice({ platform, providers }, charge, 'due');
      const invoice = await findInvoice(database, charge);
      must(invoice, 'a charge has an invoice');
      return {
        charge_id: publicId('chg', ids.charge),
        invoice_id: publicId('inv', charge.invoiceId),
        invoice_state: invoice.state,
      };
    },
  });

/** Its answer may still come: who calls it never made now has it charged once more. */
const answeredWithinMs = minuteMs;
const isInFlight = ({ calledAt }: Charge, now: Date): boolean => calledAt !== null && now.getTime() < calledAt.getTime() + answeredWithinMs;

function outcomeOf(outcome: 'succeeded' | 'declined' | 'never_made', providerId: string | null, note: string): ChargeOutcome {
  if (outcome === 'never_made') return { is: 'absent' };
  if (outcome === 'declined') return { is: 'declined', providerId, code: 'by_hand', message: note };
  must(providerId !== null, 'who says that it succeeded says which one it was');
  return { is: 'succeeded', providerId };
}
