import { Type as T } from 'typebox';
import { endpoint } from '../people/endpoint.ts';
import { isRefusal, refuse } from '../platform/http/answers.ts';
import { centsField, isoTime, orNull } from '../platform/http/fields.ts';
import { pageOf, pageQuery, pageReply, readPage, uuidShape } from '../platform/http/page.ts';
import { publicId } from '../platform/ids.ts';
import { markGivenBack, strayCharges } from './charges-sql.ts';

const noteLengthMax = 200;

const strayJson = T.Object({
  id: T.String({ description: 'Also the idempotency key at the provider' }),
  store_id: T.String(),
  invoice_id: T.String({ description: 'What it was meant for, which was paid otherwise or is owed no more' }),
  amount_cents: centsField(),
  provider: T.String(),
  provider_id: orNull(T.String({ description: "The provider's name of it, by which it is sent back there" })),
  description: T.String({ description: "As it stands in the provider's list" }),
  since: T.String(),
});

export const listStrayCharges = endpoint({
  summary: 'Charges that succeeded though nobody owed them any more, of all stores: send them back at the provider',
  access: { who: 'operator' },
  query: pageQuery,
  reply: pageOf(strayJson),
  async handle({ db, query }) {
    const page = readPage(query, [uuidShape, uuidShape]);
    if (isRefusal(page)) return page;
    return pageReply(
      await strayCharges(db, page),
      page,
      (charge) => ({
        id: publicId('chg', charge.chargeId),
        store_id: publicId('store', charge.storeId),
        invoice_id: publicId('inv', charge.invoiceId),
        amount_cents: charge.amountCents,
        provider: charge.provider,
        provider_id: charge.providerId,
        description: charge.description,
        since: isoTime(charge.strayAt),
      }),
      ({ storeId, chargeId }) => [storeId, chargeId],
    );
  },
});

export const giveBackCharge = endpoint({
  summary: 'Say that a stray charge was sent back at the provider',
  access: { who: 'operator' },
  proof: true,
  ids: { store: 'store', charge: 'chg' },
  body: T.Object(
    {
      note: T.String({
        minLength: 1,
        maxLength: noteLengthMax,
        pattern: String.raw`^(?=.*\S)[^\p{Cc}\p{Cs}]+$`,
        description: 'Where it is seen: such as the name of the refund',
      }),
    },
    { additionalProperties: false },
  ),
  reply: T.Object({ id: T.String(), given_back_at: T.String() }),
  audit: 'charge.give_back',
  async handle({ db, ids, identity, body, now }) {
    const key = { storeId: ids.store, chargeId: ids.charge };
    if (!(await markGivenBack(db, key, { at: now, by: identity.actor, note: body.note })))
      return refuse('conflict', 'There is nothing to give back of this charge: it is owed, or it went back already.');
    return { id: publicId('chg', ids.charge), given_back_at: isoTime(now) };
  },
});
