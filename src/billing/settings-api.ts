import { Type as T, type Static } from 'typebox';
import { endpoint } from '../people/endpoint.ts';
import { isTransaction } from '../platform/database/database.ts';
import { amountToJson, basisPoints, basisPointsMax, cents } from '../platform/money.ts';
import { must } from '../platform/must.ts';
import { lockBillingSettings, readBillingSettings, writeBillingSettings, type BillingSettings } from './settings-sql.ts';

const amountMax = 100_000_000;

const fields = {
  fee_basis_points: T.Integer({
    minimum: 0,
    maximum: basisPointsMax,
    description: 'The platform fee, on top of the commissions of an invoice',
  }),
  minimum_cents: T.Integer({ minimum: 0, maximum: amountMax, description: 'Below it a bill is carried on, at most 90 days' }),
  early_cents: T.Integer({ minimum: 1, maximum: amountMax, description: 'From here on a store is billed before the 1st' }),
};
const settingsJson = T.Object(fields);

const show = ({ fee, minimum, early }: BillingSettings): Static<typeof settingsJson> => ({
  fee_basis_points: fee,
  minimum_cents: amountToJson(minimum),
  early_cents: amountToJson(early),
});

export const readSettingsEndpoint = endpoint({
  summary: 'How stores are billed here',
  access: { who: 'operator' },
  reply: settingsJson,
  handle: async ({ db }) => show(await readBillingSettings(db)),
});

export const writeSettingsEndpoint = endpoint({
  summary: 'Change how stores are billed, from the next invoices on',
  access: { who: 'operator' },
  body: T.Partial(settingsJson, { additionalProperties: false }),
  reply: settingsJson,
  audit: 'billing.settings',
  async handle({ db, body, now }) {
    must(isTransaction(db), 'what changes something runs in a transaction');
    const before = await lockBillingSettings(db, now);
    const settings: BillingSettings = {
      fee: body.fee_basis_points === undefined ? before.fee : basisPoints(body.fee_basis_points),
      minimum: body.minimum_cents === undefined ? before.minimum : cents(body.minimum_cents),
      early: body.early_cents === undefined ? before.early : cents(body.early_cents),
    };
    await writeBillingSettings(db, settings, now);
    return show(settings);
  },
});
