import { Type as T } from 'typebox';
import type { Static } from '../core/static.ts';
import { enqueueEmail } from '../people/enqueue-email.ts';
import { agreementMessages, decideAgreement } from '../people/decide-agreement.ts';
import { endpoint } from '../people/endpoint.ts';
import type { Identity } from '../people/identity.ts';
import { areOperatorRulesOn, emailOperators, requestingPerson } from '../people/operators.ts';
import { findOperatorPerson } from '../people/operators-sql.ts';
import { findResponsibleUser } from '../people/identify.ts';
import { listAllOwnerEmails } from '../people/team-sql.ts';
import { isTransaction, type Transaction } from '../db/database.ts';
import { isRefusal, type Refusal, refuse } from '../http/responses.ts';
import { isoTime, namedObject, orNull } from '../http/fields.ts';
import { amountToJson, basisPoints, basisPointsMax, cents } from '../core/money.ts';
import { invariant } from '../core/invariant.ts';
import type { Platform } from '../runtime/platform.ts';
import { plusDays } from '../core/time.ts';
import { decideFee, feeBasisPointsMax, feeNoticeDays } from './decide-fee.ts';
import { feeRaiseRequestedEmail, feeRaiseAnnouncedEmail } from './billing-emails.ts';
import { type StoredBillingSettings, lockBillingSettings, readBillingSettings, writeBillingSettings } from './billing-settings-sql.ts';
import { apiMessage } from '../messages/api-message.ts';

const amountMax = 100_000_000;

const fields = {
  fee_basis_points: T.Integer({
    minimum: 0,
    maximum: basisPointsMax,
    description: `The platform fee, on top of the commissions of an invoice; at most ${feeBasisPointsMax}. An increase needs two operators and ${feeNoticeDays} days of notice`,
  }),
  minimum_cents: T.Integer({
    minimum: 0,
    maximum: amountMax,
    description: 'Smaller amounts are carried over to the next invoice, for at most 90 days',
  }),
  early_cents: T.Integer({ minimum: 1, maximum: amountMax, description: 'At or above this amount, a store is invoiced before the 1st' }),
};
const settingsJson = namedObject('BillingSettings', {
  ...fields,
  next_fee: orNull(
    T.Object({ basis_points: T.Integer(), from: T.String() }, { description: 'An announced fee increase, and when it takes effect' }),
  ),
  fee_asked: orNull(
    T.Object(
      { basis_points: T.Integer(), by_name: T.String(), at: T.String() },
      { description: 'A requested fee increase; it is announced after another operator requests the same' },
    ),
  ),
  fee_max_basis_points: T.Integer(),
});

const show = ({ fee, minimum, early, next, requested }: StoredBillingSettings): Static<typeof settingsJson> => ({
  fee_basis_points: fee,
  minimum_cents: amountToJson(minimum),
  early_cents: amountToJson(early),
  next_fee: next && { basis_points: next.fee, from: isoTime(next.from) },
  fee_asked: requested && { basis_points: requested.fee, by_name: requested.byName, at: isoTime(requested.at) },
  fee_max_basis_points: feeBasisPointsMax,
});

export const readSettingsEndpoint = endpoint({
  summary: 'Get the billing settings',
  access: { allow: 'operator' },
  reply: settingsJson,
  handle: async ({ db, now }) => show(await readBillingSettings(db, now)),
});

export const writeSettingsEndpoint = endpoint({
  summary: 'Change the billing settings for future invoices; a fee increase also needs a second operator',
  access: { allow: 'operator' },
  proof: true,
  body: T.Partial(T.Object(fields), { additionalProperties: false }),
  reply: settingsJson,
  audit: 'billing.settings',
  async handle({ platform, db, identity, body, now }) {
    invariant(isTransaction(db), 'a change must run in a transaction');
    const before = await lockBillingSettings(db, now);
    const wanted = body.fee_basis_points ?? before.fee;
    const fee = await feeAfter(db, { platform, identity, before, wanted, now });
    if (isRefusal(fee)) return fee;
    const settings: StoredBillingSettings = {
      ...fee,
      minimum: body.minimum_cents === undefined ? before.minimum : cents(body.minimum_cents),
      early: body.early_cents === undefined ? before.early : cents(body.early_cents),
    };
    await writeBillingSettings(db, settings, now);
    return show(settings);
  },
});

export const withdrawFeeRise = endpoint({
  summary: 'Withdraw a requested or announced fee increase; the current fee remains in force',
  access: { allow: 'operator' },
  liveKeys: 'refused',
  reply: settingsJson,
  audit: 'billing.fee_rise_withdrawn',
  async handle({ db, now }) {
    invariant(isTransaction(db), 'a change must run in a transaction');
    const before = await lockBillingSettings(db, now);
    if (before.next === null && before.requested === null)
      return refuse('conflict', apiMessage('billing_settings_api.no_fee_increase_requested_or'));
    const settings = { ...before, next: null, requested: null };
    await writeBillingSettings(db, settings, now);
    return show(settings);
  },
});

type RequestedFee = {
  readonly platform: Platform;
  readonly identity: Identity;
  readonly before: StoredBillingSettings;
  readonly wanted: number;
  readonly now: Date;
};

async function feeAfter(
  tx: Transaction,
  { platform, identity, before, wanted, now }: RequestedFee,
): Promise<StoredBillingSettings | Refusal> {
  const areRulesOn = await areOperatorRulesOn(tx, platform);
  const { requested } = before;
  const agreement = decideAgreement({
    requester: requested === null || requested.byUserId === null ? null : await findOperatorPerson(tx, requested.byUserId),
    agreeing: await requestingPerson(tx, identity),
    areRulesOn,
    now,
  });
  const fee = basisPoints(wanted);
  const decision = decideFee({
    current: before.fee,
    wanted,
    next: before.next?.fee ?? null,
    requested: requested?.fee ?? null,
    agreement,
    areRulesOn,
  });
  switch (decision) {
    case 'keep':
      return before;
    case 'set':
      return { ...before, fee, next: null, requested: null };
    case 'above_cap': {
      const message = `is at most ${feeBasisPointsMax}`;
      return refuse('invalid_request', apiMessage('shared.body_invalid'), [{ field: 'fee_basis_points', message }]);
    }
    case 'ask': {
      const byUserId = await findResponsibleUser(tx, identity);
      if (requested?.fee === fee && requested.byUserId === byUserId) return before;
      const asking = { fee, at: now, by: identity.actor, byName: identity.name, byUserId };
      const url = `${platform.config.baseUrl}/operator/settings`;
      await emailOperators(tx, platform, feeRaiseRequestedEmail({ fee: wanted, current: before.fee, byName: identity.name, url }));
      return { ...before, requested: asking };
    }
    case 'announce': {
      const from = plusDays(now, feeNoticeDays);
      await announceFeeRaise(tx, platform, { fee: wanted, current: before.fee, from });
      return { ...before, next: { fee, from }, requested: null };
    }
    default:
      return refuse('unprocessable', agreementMessages[decision]);
  }
}

type Rise = { readonly fee: number; readonly current: number; readonly from: Date };

/** Sends each owner one email, in the transaction, so that no higher fee applies unannounced. */
async function announceFeeRaise(tx: Transaction, platform: Platform, rise: Rise): Promise<void> {
  const content = feeRaiseAnnouncedEmail({ ...rise, url: platform.config.baseUrl });
  for (const to of await listAllOwnerEmails(tx)) await enqueueEmail(tx, platform.secrets, { to, content, storeId: null });
  await emailOperators(tx, platform, content);
}
