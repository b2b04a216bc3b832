import { Type as T, type Static } from 'typebox';
import { keepMail } from '../notify/mail.ts';
import { endpoint } from '../people/endpoint.ts';
import { operatorsMax } from '../people/operators.ts';
import { personBehind } from '../people/person-behind.ts';
import { operators } from '../people/users-sql.ts';
import { isTransaction, type Transaction } from '../platform/database/database.ts';
import { refuse } from '../platform/http/answers.ts';
import { isoTime, orNull, singleAmountField } from '../platform/http/fields.ts';
import { amountToJson, cents } from '../platform/money.ts';
import { must } from '../platform/must.ts';
import type { Platform } from '../platform/platform.ts';
import { decideLimit } from './decide-limit.ts';
import { limitLetter } from './letter.ts';
import { keepPayoutSettings, lockSettings, readKeptSettings, type AskedLimit, type KeptSettings } from './settings-sql.ts';

const minimumCentsMax = 10_000;
const limitCentsMax = 1_000_000_000;

const settingsFields = {
  minimum_cents: T.Integer({ minimum: 0, maximum: minimumCentsMax, description: 'Below this nothing is paid out' }),
  second_person_above_cents: orNull(
    T.Integer({ minimum: 0, maximum: limitCentsMax, description: 'Above this a second person confirms; null: never' }),
  ),
};
const settingsJson = T.Object({
  ...settingsFields,
  second_person_asked: orNull(
    T.Object(
      { above_cents: orNull(singleAmountField()), by_name: T.String(), at: T.String() },
      { description: 'A higher limit, or none, that somebody asked for: it holds once somebody else asks for the same' },
    ),
  ),
});

const centsOrNull = (amount: bigint | null): number | null => (amount === null ? null : amountToJson(cents(amount)));

const show = ({ minimumCents, secondPersonAboveCents, asked }: KeptSettings): Static<typeof settingsJson> => ({
  minimum_cents: amountToJson(cents(minimumCents)),
  second_person_above_cents: centsOrNull(secondPersonAboveCents),
  second_person_asked: asked && { above_cents: centsOrNull(asked.above), by_name: asked.byName, at: isoTime(asked.at) },
});

export const getPayoutSettings = endpoint({
  summary: 'Read what holds for all payouts',
  access: { who: 'operator' },
  reply: settingsJson,
  handle: async ({ db }) => show(await readKeptSettings(db)),
});

export const setPayoutSettings = endpoint({
  summary: 'Set what holds for all payouts from now on; a higher limit, or none, once a second person sets the same',
  access: { who: 'operator' },
  proof: true,
  body: T.Object(settingsFields, { additionalProperties: false }),
  reply: settingsJson,
  audit: 'payout_settings.set',
  async handle({ platform, db, identity, body, now }) {
    must(isTransaction(db), 'what changes something runs in a transaction');
    const before = await lockSettings(db);
    const by = { by: identity.actor, byUserId: await personBehind(db, identity) };
    const wanted = body.second_person_above_cents === null ? null : cents(body.second_person_above_cents);
    const decision = decideLimit({ current: before.secondPersonAboveCents, wanted, asked: before.asked, ...by });
    if (decision === 'no_person')
      return refuse('unprocessable', 'A person has to agree to it: sign in, or use a key that somebody made who was signed in.');
    const asking: AskedLimit = { ...by, above: wanted, at: now, byName: identity.name };
    const kept: KeptSettings = { ...before, minimumCents: cents(body.minimum_cents), ...limitAfter(decision, asking, before) };
    await keepPayoutSettings(db, kept);
    if (kept.asked === asking) await tellOperators(db, platform, asking);
    return show(kept);
  },
});

/** What is set ends what was asked for. Who asks twice for the same is told of once. */
function limitAfter(decision: 'keep' | 'set' | 'ask', asking: AskedLimit, { asked }: KeptSettings): Partial<KeptSettings> {
  if (decision === 'keep') return {};
  if (decision === 'set') return { secondPersonAboveCents: asking.above, asked: null };
  return asked !== null && asked.above === asking.above ? {} : { asked: asking };
}

/** All of them, also who asked: nobody loosens it unseen. */
async function tellOperators(tx: Transaction, { secrets, config }: Platform, asked: AskedLimit): Promise<void> {
  const letter = limitLetter({ ...asked, url: `${config.baseUrl}/operator/settings` });
  for (const { email } of await operators(tx, { most: operatorsMax })) await keepMail(tx, secrets, { to: email, letter, storeId: null });
}
