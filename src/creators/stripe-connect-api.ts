import { Type as T } from 'typebox';
import { endpoint } from '../people/endpoint.ts';
import { notFound, refuse } from '../http/responses.ts';
import { orNull } from '../http/fields.ts';
import { publicId } from '../core/ids.ts';
import type { StripeAccounts } from '../payments/stripe-accounts.ts';
import { findStripeAccount, saveStripeAccount } from './stripe-connect-sql.ts';
import { payoutMethodJson, showMethod } from './creators-api.ts';
import { findCreator } from './creators-sql.ts';
import { restartCoolDown, setPayoutMethod, type HasEarned } from './payout-methods.ts';
import { findResponsibleUser } from '../people/identify.ts';
import { apiMessage } from '../messages/api-message.ts';

const stripeNotConfigured = refuse('unprocessable', apiMessage('shared.stripe_not_configured'));
const stripeUnavailable = refuse('temporarily_unavailable', apiMessage('shared.stripe_not_responding'));

const invalidCountry = (message: string) => refuse('invalid_request', apiMessage('shared.body_invalid'), [{ field: 'country', message }]);

export const connectCountriesEndpoint = (accounts: StripeAccounts | null) =>
  endpoint({
    summary: 'List the countries that Stripe can pay to from this installation, and the selected one',
    access: { allow: 'creator', permission: 'creator:read' },
    reply: T.Object({
      countries: T.Array(T.String(), { description: 'ISO 3166-1 alpha-2 codes' }),
      country: orNull(T.String({ description: 'The country of the account; null if there is none, or none was required' })),
      begun: T.Boolean({ description: 'Whether an account was created' }),
    }),
    alsoRefuses: ['unprocessable'],
    inTransaction: false,
    async handle({ platform, ids }) {
      if (accounts === null) return stripeNotConfigured;
      const found = await accounts.countries();
      if (found.is !== 'known') return stripeUnavailable;
      const known = await findStripeAccount(platform.database, ids.creator);
      return { countries: [...found.countries], country: known?.country ?? null, begun: known !== null };
    },
  });

export const beginConnectEndpoint = (accounts: StripeAccounts | null) =>
  endpoint({
    summary: 'Connect a Stripe account for payouts: returns the form at Stripe, where the creator proves their identity',
    access: { allow: 'creator', permission: 'creator:write' },
    proof: true,
    body: T.Object(
      {
        country: T.Optional(
          T.String({
            pattern: '^[A-Z]{2}$',
            description:
              'An ISO 3166-1 alpha-2 code, such as DE. Required the first time; a different one creates a new account, and without one the same form opens again',
          }),
        ),
      },
      { additionalProperties: false },
    ),
    reply: T.Object({ url: T.String() }),
    alsoRefuses: ['unprocessable'],
    status: 201,
    audit: 'payout_method.connect_begun',
    inTransaction: false,
    async handle({ platform, ids, body, now }) {
      if (accounts === null) return stripeNotConfigured;
      const { database, config } = platform;
      const creator = await findCreator(database, ids.creator);
      if (creator === null) return notFound;
      const known = await findStripeAccount(database, ids.creator);
      const country = body.country ?? known?.country ?? null;
      const resumesForm = known !== null && (body.country === undefined || body.country === known.country);
      if (!resumesForm && country === null) return invalidCountry('is required the first time');
      const back = `${config.baseUrl}/creator/settings`;
      const begun = await accounts.beginConnect({
        reference: publicId('crt', ids.creator),
        email: creator.email,
        account: resumesForm || country === null ? { id: known?.account ?? '' } : { country },
        returnUrl: `${back}?stripe=back`,
        refreshUrl: `${back}?stripe=again`,
      });
      if (begun.is === 'unknown') return stripeUnavailable;
      if (begun.is === 'declined') return refuse('unprocessable', apiMessage('shared.stripe_rejected', { message: begun.message }));
      if (begun.is === 'unpayable_country')
        return invalidCountry('is not a country that Stripe can pay to from this installation; see the list of countries');
      await saveStripeAccount(database, { creatorId: ids.creator, account: begun.account, country, at: now });
      const reopened = { creatorId: ids.creator, account: begun.account, at: now };
      await database.transaction((tx) => restartCoolDown(tx, platform.secrets, reopened));
      return { url: begun.url };
    },
  });

export const finishConnectEndpoint = (accounts: StripeAccounts | null, hasEarned: HasEarned) =>
  endpoint({
    summary: 'Use the connected Stripe account for payouts; they start after 72 hours if anything was earned or the method changed',
    access: { allow: 'creator', permission: 'creator:write' },
    proof: true,
    reply: T.Object({ payout_method: payoutMethodJson }),
    alsoRefuses: ['unprocessable'],
    audit: 'payout_method.set',
    async prepare({ platform, ids }) {
      if (accounts === null) return stripeNotConfigured;
      const known = await findStripeAccount(platform.database, ids.creator);
      if (known === null) return refuse('unprocessable', apiMessage('stripe_connect_api.there_no_stripe_account_yet'));
      const read = await accounts.readConnect(known.account);
      if (read.is === 'unknown') return stripeUnavailable;
      if (read.is === 'declined') return refuse('unprocessable', apiMessage('stripe_connect_api.account_no_longer_exists_at'));
      if (read.is === 'not_yet')
        return refuse('unprocessable', apiMessage('stripe_connect_api.stripe_still_needs_answers_open', { missing: read.missing }));
      return known.account;
    },
    async handle({ platform, db, identity, ids, prepared: stripe, now }) {
      const creatorId = ids.creator;
      const setBy = await findResponsibleUser(db, identity);
      const setting = { creatorId, to: { stripe }, at: now, hasEarned: await hasEarned(db, creatorId), setBy };
      const method = await setPayoutMethod(db, platform.secrets, setting);
      return { payout_method: showMethod(method) };
    },
  });
