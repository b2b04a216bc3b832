import { Type as T, type Static } from 'typebox';
import { endpoint } from '../people/endpoint.ts';
import { orNull } from '../platform/http/fields.ts';
import { cents } from '../platform/money.ts';
import { keepPayoutSettings, readPayoutSettings, type PayoutSettings } from './settings-sql.ts';

const minimumCentsMax = 10_000;
const limitCentsMax = 1_000_000_000;

const settingsFields = {
  minimum_cents: T.Integer({ minimum: 0, maximum: minimumCentsMax, description: 'Below this nothing is paid out' }),
  second_person_above_cents: orNull(
    T.Integer({ minimum: 0, maximum: limitCentsMax, description: 'Above this a second person confirms; null: never' }),
  ),
};
const settingsJson = T.Object(settingsFields);

const show = ({ minimumCents, secondPersonAboveCents }: PayoutSettings): Static<typeof settingsJson> => ({
  minimum_cents: Number(minimumCents),
  second_person_above_cents: secondPersonAboveCents === null ? null : Number(secondPersonAboveCents),
});

export const getPayoutSettings = endpoint({
  summary: 'Read what holds for all payouts',
  access: { who: 'operator' },
  reply: settingsJson,
  handle: async ({ db }) => show(await readPayoutSettings(db)),
});

export const setPayoutSettings = endpoint({
  summary: 'Set what holds for all payouts from now on',
  access: { who: 'operator' },
  proof: true,
  body: T.Object(settingsFields, { additionalProperties: false }),
  reply: settingsJson,
  audit: 'payout_settings.set',
  async handle({ db, body }) {
    const above = body.second_person_above_cents;
    const settings = { minimumCents: cents(body.minimum_cents), secondPersonAboveCents: above === null ? null : cents(above) };
    await keepPayoutSettings(db, settings);
    return show(settings);
  },
});
