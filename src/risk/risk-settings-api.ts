import { Type as T } from 'typebox';
import type { Static } from '../core/static.ts';
import { decideRiskSettings, looserIn } from './decide-risk-settings.ts';
import {
  type RequestedRiskSettings,
  type StoredRiskSettings,
  lockRiskSettings,
  readStoredRiskSettings,
  type RiskRow,
  writeRiskSettings,
} from '../holds/risk-settings-sql.ts';
import { riskDefaults, type RiskSettings, riskSettingsOf } from '../holds/risk-settings.ts';
import { agreementMessages, decideAgreement } from '../people/decide-agreement.ts';
import { endpoint } from '../people/endpoint.ts';
import { areOperatorRulesOn, emailOperators, requestingPerson } from '../people/operators.ts';
import { findOperatorPerson } from '../people/operators-sql.ts';
import { findResponsibleUser } from '../people/identify.ts';
import { isTransaction, type Queryable } from '../db/database.ts';
import { refuse } from '../http/responses.ts';
import { isoTime, namedObject, orNull } from '../http/fields.ts';
import { amountToJson, cents, type Cents } from '../core/money.ts';
import { invariant } from '../core/invariant.ts';
import type { Platform } from '../runtime/platform.ts';
import { looserSettingsRequestedEmail, settingsChangedEmail } from './maintain-cases.ts';

const reserveDaysMax = 365;
const reserveInvoicesMax = 100;
const centsMax = 1_000_000_000;
const ordersMax = 1_000_000;

const valuesJson = namedObject('RiskSettingValues', {
  enforce: T.Boolean(),
  reserve_days: T.Integer(),
  reserve_until_invoices: orNull(T.Integer()),
  large_first_payout_cents: T.Integer({ maximum: centsMax }),
  orders_per_hour_min: T.Integer(),
  order_size_min_cents: T.Integer({ maximum: centsMax }),
});

const settingsBody = T.Object(
  {
    enforce: orNull(
      T.Boolean({ description: 'Risk signals and matching identities hold payouts; with false, they only show what would be held' }),
    ),
    reserve_days: orNull(T.Integer({ minimum: 0, maximum: reserveDaysMax, description: 'After the first successful charge of a store' })),
    reserve_until_invoices: orNull(
      T.Integer({
        minimum: 1,
        maximum: reserveInvoicesMax,
        description: 'The reserve period also lasts until this many invoices are paid',
      }),
    ),
    large_first_payout_cents: orNull(T.Integer({ minimum: 1, maximum: centsMax })),
    orders_per_hour_min: orNull(T.Integer({ minimum: 1, maximum: ordersMax, description: 'Fewer orders in an hour are not a signal' })),
    order_size_min_cents: orNull(T.Integer({ minimum: 1, maximum: centsMax, description: 'Smaller orders are not a signal' })),
  },
  { additionalProperties: false, description: 'Null for the default of the mode' },
);

type SettingsBody = Static<typeof settingsBody>;

const settingsJson = namedObject('RiskSettings', {
  asked: orNull(
    T.Object(
      { set: settingsBody, looser_in: T.Array(T.String()), by_name: T.String(), at: T.String() },
      { description: 'A requested less strict setting; it takes effect after another operator requests the same' },
    ),
  ),
  mode: T.Enum(['sandbox', 'live']),
  set: settingsBody,
  effective: valuesJson,
  live: T.Object({ ...valuesJson.properties }, { description: 'The effect of these settings in live mode' }),
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

const bodyOf = (row: RiskRow | null): SettingsBody => ({
  enforce: row?.enforce ?? null,
  reserve_days: row?.reserveDays ?? null,
  reserve_until_invoices: row?.reserveUntilInvoices ?? null,
  large_first_payout_cents: amountOrNull(row?.largeFirstPayoutCents ?? null),
  orders_per_hour_min: row?.ordersPerHourMin ?? null,
  order_size_min_cents: amountOrNull(row?.orderSizeMinCents ?? null),
});

const rowOf = (body: SettingsBody): RiskRow => ({
  enforce: body.enforce,
  reserveDays: body.reserve_days,
  reserveUntilInvoices: body.reserve_until_invoices,
  largeFirstPayoutCents: body.large_first_payout_cents === null ? null : cents(body.large_first_payout_cents),
  ordersPerHourMin: body.orders_per_hour_min,
  orderSizeMinCents: body.order_size_min_cents === null ? null : cents(body.order_size_min_cents),
});

async function show(db: Queryable, { config: { mode } }: Platform, kept: StoredRiskSettings | null): Promise<Static<typeof settingsJson>> {
  const effective = riskSettingsOf(kept, mode);
  return {
    mode,
    set: bodyOf(kept),
    effective: showValues(effective),
    live: showValues(mode === 'live' ? effective : riskDefaults.live),
    asked: kept?.requested
      ? await showRequested(db, kept.requested, looserIn(effective, riskSettingsOf(rowOf(kept.requested.values), mode)))
      : null,
  };
}

async function showRequested(db: Queryable, asked: RequestedRiskSettings, looser: readonly string[]) {
  const asker = asked.byUserId === null ? null : await findOperatorPerson(db, asked.byUserId);
  return { set: { ...asked.values }, looser_in: [...looser], by_name: asker?.name ?? 'API key', at: isoTime(asked.at) };
}

export const getRiskSettings = endpoint({
  summary: 'Get the risk settings for payouts, of this installation and the defaults of live mode',
  access: { allow: 'operator' },
  reply: settingsJson,
  handle: async ({ platform, db }) => show(db, platform, await readStoredRiskSettings(db)),
});

export const setRiskSettings = endpoint({
  summary: 'Change the risk settings for payouts; a less strict setting also needs a second operator',
  access: { allow: 'operator' },
  proof: true,
  body: settingsBody,
  reply: settingsJson,
  audit: 'risk_settings.set',
  async handle({ platform, db, identity, body, now }) {
    invariant(isTransaction(db), 'a change must run in a transaction');
    const before = await lockRiskSettings(db, now);
    const { mode, baseUrl } = platform.config;
    const areRulesOn = await areOperatorRulesOn(db, platform);
    const [current, wanted] = [riskSettingsOf(before, mode), riskSettingsOf(rowOf(body), mode)];
    const decision = decideRiskSettings({
      current,
      wanted,
      requested: before.requested === null ? null : riskSettingsOf(rowOf(before.requested.values), mode),
      agreement: decideAgreement({
        requester: before.requested?.byUserId ? await findOperatorPerson(db, before.requested.byUserId) : null,
        agreeing: await requestingPerson(db, identity),
        areRulesOn,
        now,
      }),
      areRulesOn,
    });
    if (decision !== 'set' && decision !== 'ask') return refuse('unprocessable', agreementMessages[decision]);
    const looser = looserIn(current, wanted);
    const facts = { looser, byName: identity.name, url: `${baseUrl}/operator/settings` };
    const kept: StoredRiskSettings =
      decision === 'set'
        ? { ...rowOf(body), requested: null }
        : { ...before, requested: { values: body, at: now, byUserId: await findResponsibleUser(db, identity) } };
    if (!isSame(kept, before)) {
      await writeRiskSettings(db, kept, now);
      await emailOperators(db, platform, decision === 'set' ? settingsChangedEmail(facts) : looserSettingsRequestedEmail(facts));
    }
    return show(db, platform, kept);
  },
});

/** Sends no email for a repeated request or for settings that are already in force. */
const isSame = (one: StoredRiskSettings, other: StoredRiskSettings): boolean =>
  JSON.stringify(bodyOf(one)) === JSON.stringify(bodyOf(other)) &&
  one.requested?.byUserId === other.requested?.byUserId &&
  JSON.stringify(one.requested && bodyOf(rowOf(one.requested.values))) ===
    JSON.stringify(other.requested && bodyOf(rowOf(other.requested.values)));
