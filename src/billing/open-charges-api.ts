import { Type as T } from 'typebox';
import { endpoint } from '../people/endpoint.ts';
import { isRefusal } from '../platform/http/answers.ts';
import { centsField, isoTime, isoTimeOrNull, orNull } from '../platform/http/fields.ts';
import { pageFields, pageOf, pageReply, readPage, uuidShape } from '../platform/http/page.ts';
import { publicId } from '../platform/ids.ts';
import type { Providers } from '../providers/providers.ts';
import { openCharges } from './charges-sql.ts';
import { surelyNeverMadeAt } from './decide-by-hand.ts';
import { openChargeStates } from './decide-charge.ts';

/** What an operator looks for in the provider's own list, and from when on its absence there proves something. */
const openChargeJson = T.Object({
  id: T.String({ description: 'Also the idempotency key at the provider' }),
  store_id: T.String(),
  invoice_id: T.String(),
  state: T.Enum([...openChargeStates]),
  amount_cents: centsField(),
  provider: T.String(),
  description: T.String({ description: "As it stands in the provider's list" }),
  provider_id: orNull(T.String({ description: "The provider's name of it, where it was told" })),
  message: orNull(T.String({ description: 'Why its end is not known' })),
  made_at: T.String(),
  called_at: orNull(T.String({ description: 'When the provider was called last' })),
  surely_never_made_at: T.String({ description: "From then on a provider's list without it proves that it was never made" }),
});

export const listOpenCharges = (providers: Providers) =>
  endpoint({
    summary: 'Charges without an end, of all stores',
    access: { who: 'operator' },
    query: T.Object({ state: T.Optional(T.Enum([...openChargeStates])), ...pageFields }, { additionalProperties: false }),
    reply: pageOf(openChargeJson),
    async handle({ db, query }) {
      const page = readPage(query, [uuidShape, uuidShape]);
      if (isRefusal(page)) return page;
      return pageReply(
        await openCharges(db, query.state ?? null, page),
        page,
        (charge) => ({
          id: publicId('chg', charge.chargeId),
          store_id: publicId('store', charge.storeId),
          invoice_id: publicId('inv', charge.invoiceId),
          state: charge.state,
          amount_cents: charge.amountCents,
          provider: charge.provider,
          description: charge.description,
          provider_id: charge.providerId,
          message: charge.message,
          made_at: isoTime(charge.madeAt),
          called_at: isoTimeOrNull(charge.calledAt),
          surely_never_made_at: isoTime(surelyNeverMadeAt(charge, providers.chargeProvider(charge.provider))),
        }),
        ({ storeId, chargeId }) => [storeId, chargeId],
      );
    },
  });
