import { Type as T } from 'typebox';
import type { Static } from '../core/static.ts';
import { enqueueEmail } from '../people/enqueue-email.ts';
import { agreementMessages, decideAgreement } from '../people/decide-agreement.ts';
import { endpoint } from '../people/endpoint.ts';
import { areOperatorRulesOn, requestingPerson } from '../people/operators.ts';
import { findOperatorPerson, operatorsMax } from '../people/operators-sql.ts';
import { findResponsibleUser } from '../people/identify.ts';
import { listOperatorUsers } from '../people/users-sql.ts';
import { isTransaction, type Transaction } from '../db/database.ts';
import { refuse } from '../http/responses.ts';
import { isoTime, namedObject, orNull, singleAmountField } from '../http/fields.ts';
import { amountToJson, cents } from '../core/money.ts';
import { invariant } from '../core/invariant.ts';
import type { Platform } from '../runtime/platform.ts';
import { decideLimit, limitInForce, liveLimit } from './decide-limit.ts';
import { payoutLimitEmail } from './payout-emails.ts';
import {
  type RequestedLimit,
  savePayoutSettings,
  type StoredPayoutSettings,
  lockPayoutSettings,
  readStoredPayoutSettings,
} from './payout-settings-sql.ts';
import { apiMessage } from '../messages/api-message.ts';

const minimumCentsMax = 10_000;
const limitCentsMax = 1_000_000_000;

const settingsFields = {
  minimum_cents: T.Integer({ minimum: 0, maximum: minimumCentsMax, description: 'Smaller amounts are not paid out' }),
  second_person_above_cents: orNull(
    T.Integer({ minimum: 0, maximum: limitCentsMax, description: 'Larger payouts need a second operator; null for never' }),
  ),
};
const settingsJson = namedObject('PayoutSettings', {
  ...settingsFields,
  second_person_asked: orNull(
    T.Object(
      { above_cents: orNull(singleAmountField()), by_name: T.String(), at: T.String() },
      { description: 'A requested higher limit, or none; it takes effect after a second operator requests the same' },
    ),
  ),
  second_person_is_default: T.Boolean({ description: 'True if no limit was set and the default of the mode is in force' }),
  live_default_cents: T.Integer({ maximum: Number.MAX_SAFE_INTEGER, description: 'The default limit of live mode' }),
});

const centsOrNull = (amount: bigint | null): number | null => (amount === null ? null : amountToJson(cents(amount)));

type Mode = 'sandbox' | 'live';

const show = (kept: StoredPayoutSettings, mode: Mode): Static<typeof settingsJson> => ({
  minimum_cents: amountToJson(kept.minimumCents),
  second_person_above_cents: centsOrNull(limitInForce(kept, mode)),
  second_person_asked: kept.requested && {
    above_cents: centsOrNull(kept.requested.above),
    by_name: kept.requested.byName,
    at: isoTime(kept.requested.at),
  },
  second_person_is_default: kept.secondPersonAboveCents === null && !kept.hasNoLimit,
  live_default_cents: amountToJson(liveLimit),
});

export const getPayoutSettings = endpoint({
  summary: 'Get the payout settings',
  access: { allow: 'operator' },
  reply: settingsJson,
  handle: async ({ db, platform }) => show(await readStoredPayoutSettings(db), platform.config.mode),
});

export const setPayoutSettings = endpoint({
  summary: 'Change the payout settings; a higher limit, or none, also needs a second operator',
  access: { allow: 'operator' },
  proof: true,
  body: T.Object(settingsFields, { additionalProperties: false }),
  reply: settingsJson,
  audit: 'payout_settings.set',
  async handle({ platform, db, identity, body, now }) {
    invariant(isTransaction(db), 'a change must run in a transaction');
    const before = await lockPayoutSettings(db);
    const { mode } = platform.config;
    const wanted = body.second_person_above_cents === null ? null : cents(body.second_person_above_cents);
    const agreement = decideAgreement({
      requester: before.requested?.byUserId ? await findOperatorPerson(db, before.requested.byUserId) : null,
      agreeing: await requestingPerson(db, identity),
      areRulesOn: await areOperatorRulesOn(db, platform),
      now,
    });
    const count = (await listOperatorUsers(db, { most: operatorsMax })).length;
    const current = limitInForce(before, mode);
    const decision = decideLimit({ current, wanted, requested: before.requested, agreement, operators: count });
    if (decision === 'alone') return refuse('unprocessable', soleOperator, [{ field: 'second_person_above_cents', message: soleOperator }]);
    if (decision !== 'keep' && decision !== 'set' && decision !== 'ask') return refuse('unprocessable', agreementMessages[decision]);
    const by = { by: identity.actor, byUserId: await findResponsibleUser(db, identity) };
    const asking: RequestedLimit = { ...by, above: wanted, at: now, byName: identity.name };
    const kept: StoredPayoutSettings = { ...before, minimumCents: cents(body.minimum_cents), ...limitAfter(decision, asking, before) };
    await savePayoutSettings(db, kept);
    if (kept.requested === asking) await notifyOperators(db, platform, asking);
    return show(kept, mode);
  },
});

const soleOperator = apiMessage('payout_settings_api.you_only_operator_so_no');

/** The limit stays as strict as it is, so one operator alone may withdraw a request. */
export const withdrawRequestedLimit = endpoint({
  summary: 'Withdraw a requested higher limit that waits for a second operator',
  access: { allow: 'operator' },
  proof: true,
  reply: settingsJson,
  audit: 'payout_settings.request_withdrawn',
  async handle({ db, platform }) {
    invariant(isTransaction(db), 'a change must run in a transaction');
    const before = await lockPayoutSettings(db);
    if (before.requested === null) return refuse('conflict', apiMessage('payout_settings_api.no_higher_limit_requested_so'));
    const kept: StoredPayoutSettings = { ...before, requested: null };
    await savePayoutSettings(db, kept);
    return show(kept, platform.config.mode);
  },
});

/** A saved setting ends the pending request. A repeated request notifies operators only once. */
function limitAfter(
  decision: 'keep' | 'set' | 'ask',
  asking: RequestedLimit,
  { requested }: StoredPayoutSettings,
): Partial<StoredPayoutSettings> {
  if (decision === 'keep') return {};
  if (decision === 'set') return { secondPersonAboveCents: asking.above, hasNoLimit: asking.above === null, requested: null };
  const isSame = requested !== null && requested.above === asking.above && requested.byUserId === asking.byUserId;
  return isSame ? {} : { requested: asking };
}

/** Emails all operators, including the requester, so that no operator loosens the limit unnoticed. */
async function notifyOperators(tx: Transaction, { secrets, config }: Platform, requested: RequestedLimit): Promise<void> {
  const content = payoutLimitEmail({ ...requested, url: `${config.baseUrl}/operator/settings` });
  for (const { email } of await listOperatorUsers(tx, { most: operatorsMax }))
    await enqueueEmail(tx, secrets, { to: email, content, storeId: null });
}
