import { Type as T, type Static } from 'typebox';
import { readRiskRow, writeRiskRow, type RiskRow } from '../holds/settings-sql.ts';
import { riskDefaults, riskSettingsOf, type RiskSettings } from '../holds/settings.ts';
import { endpoint } from '../people/endpoint.ts';
import { isRefusal } from '../platform/http/answers.ts';
import { orNull } from '../platform/http/fields.ts';
import { amountToJson, cents, type Cents } from '../platform/money.ts';
import type { Platform } from '../platform/platform.ts';
import { keyRefusal } from './risk-api.ts';

const reserveDaysMax = 365;
const reserveInvoicesMax = 100;
const centsMax = 1_000_000_000;
const ordersMax = 1_000_000;

const valuesJson = T.Object({
  enforce: T.Boolean(),
  reserve_days: T.Integer(),
  reserve_until_invoices: orNull(T.Integer()),
  large_first_payout_cents: T.Integer({ maximum: centsMax }),
  orders_per_hour_min: T.Integer(),
  order_size_min_cents: T.Integer({ maximum: centsMax }),
});

const settingsBody = T.Object(
  {
    enforce: orNull(T.Boolean({ description: 'Signals and matching people keep payouts back; false only shows what would be' })),
    reserve_days: orNull(T.Integer({ minimum: 0, maximum: reserveDaysMax, description: 'After the first successful charge of a store' })),
    reserve_until_invoices: orNull(
      T.Integer({ minimum: 1, maximum: reserveInvoicesMax, description: 'The reserve period also lasts until so many invoices are paid' }),
    ),
    large_first_payout_cents: orNull(T.Integer({ minimum: 1, maximum: centsMax })),
    orders_per_hour_min: orNull(T.Integer({ minimum: 1, maximum: ordersMax, description: 'Fewer orders in an hour are no signal' })),
    order_size_min_cents: orNull(T.Integer({ minimum: 1, maximum: centsMax, description: 'A smaller order is no signal' })),
  },
  { additionalProperties: false, description: 'Null: the default of the mode' },
);

const settingsJson = T.Object({
  mode: T.Enum(['sandbox', 'live']),
  set: settingsBody,
  effective: valuesJson,
  live: T.Object({ ...valuesJson.properties }, { description: 'What these settings mean in live mode' }),
});

const showValues = (settings: RiskSettings): Static<typeof valuesJson> => ({
  enforce: settings.enforce,
  reserve_days: settings.reserve.days,
  reserve_until_invoices: settings.reserve.untilInvoices,
  large_first_payout_cents: amountToJson(settings.largeFirstPayout),
  orders_per_hour_min: settings.ordersPerHourMin,
  order_size_min_cents: amountToJson(settings.orderSizeMin),
});

const amountOrNull = (amount: Cents | null): number | null => (amount === null ? null : amountToJson(amount));

const show = ({ config: { mode } }: Platform, row: RiskRow | null): Static<typeof settingsJson> => ({
  mode,
  set: {
    enforce: row?.enforce ?? null,
    reserve_days: row?.reserveDays ?? null,
    reserve_until_invoices: row?.reserveUntilInvoices ?? null,
    large_first_payout_cents: amountOrNull(row?.largeFirstPayoutCents ?? null),
    orders_per_hour_min: row?.ordersPerHourMin ?? null,
    order_size_min_cents: amountOrNull(row?.orderSizeMinCents ?? null),
  },
  effective: showValues(riskSettingsOf(row, mode)),
  live: showValues(mode === 'live' ? riskSettingsOf(row, mode) : riskDefaults.live),
});

export const getRiskSettings = endpoint({
  summary: 'Read what is kept back from payouts, here and in live mode',
  access: { who: 'operator' },
  reply: settingsJson,
  handle: async ({ platform, db }) => show(platform, await readRiskRow(db)),
});

export const setRiskSettings = endpoint({
  summary: 'Set what is kept back from payouts from now on',
  access: { who: 'operator' },
  proof: true,
  body: settingsBody,
  reply: settingsJson,
  audit: 'risk_settings.set',
  async handle({ platform, db, identity, body, now }) {
    const refused = keyRefusal(platform, identity);
    if (isRefusal(refused)) return refused;
    const row: RiskRow = {
      enforce: body.enforce,
      reserveDays: body.reserve_days,
      reserveUntilInvoices: body.reserve_until_invoices,
      largeFirstPayoutCents: body.large_first_payout_cents === null ? null : cents(body.large_first_payout_cents),
      ordersPerHourMin: body.orders_per_hour_min,
      orderSizeMinCents: body.order_size_min_cents === null ? null : cents(body.order_size_min_cents),
    };
    await writeRiskRow(db, row, now);
    return show(platform, row);
  },
});
