import { Type as T } from 'typebox';
import { endpoint } from '../people/endpoint.ts';
import { notFound, refuse } from '../platform/http/answers.ts';
import { publicId } from '../platform/ids.ts';
import type { StripeAccounts } from '../providers/stripe-accounts.ts';
import { findConnected, keepConnected } from './connect-sql.ts';
import { payoutMethodJson, showMethod } from './creators-api.ts';
import { findCreator } from './creators-sql.ts';
import { setPayoutMethod } from './payout-methods.ts';

const withoutStripe = refuse('unprocessable', 'This installation has no key of Stripe; its operator sets STRIPE_SECRET_KEY.');
const stripeSilent = refuse('temporarily_unavailable', 'Stripe does not answer just now; try again in a moment.');

export const beginConnectEndpoint = (accounts: StripeAccounts | null) =>
  endpoint({
    summary: 'Begin to be paid through Stripe: leads to its form, where a creator says who they are',
    access: { who: 'creator', permission: 'creator:write' },
    reply: T.Object({ url: T.String() }),
    alsoRefuses: ['unprocessable'],
    status: 201,
    audit: 'payout_method.connect_begun',
    inTransaction: false,
    async handle({ platform, ids, now }) {
      if (accounts === null) return withoutStripe;
      const { database, config } = platform;
      const creator = await findCreator(database, ids.creator);
      if (creator === null) return notFound;
      const back = `${config.baseUrl}/creator/settings`;
      const begun = await accounts.beginConnect({
        reference: publicId('crt', ids.creator),
        email: creator.email,
        account: await findConnected(database, ids.creator),
        returnUrl: `${back}?stripe=back`,
        refreshUrl: `${back}?stripe=again`,
      });
      if (begun.is === 'unknown') return stripeSilent;
      if (begun.is === 'declined') return refuse('unprocessable', `Stripe refused: ${begun.message}`);
      await keepConnected(database, ids.creator, begun.account, now);
      return { url: begun.url };
    },
  });

export const finishConnectEndpoint = (accounts: StripeAccounts | null) =>
  endpoint({
    summary: 'Be paid to the account at Stripe that was connected; a change waits 72 hours before money goes there',
    access: { who: 'creator', permission: 'creator:write' },
    proof: true,
    reply: T.Object({ payout_method: payoutMethodJson }),
    alsoRefuses: ['unprocessable'],
    audit: 'payout_method.set',
    async prepare({ platform, ids }) {
      if (accounts === null) return withoutStripe;
      const account = await findConnected(platform.database, ids.creator);
      if (account === null) return refuse('unprocessable', 'No account was begun at Stripe yet; begin with POST …/payout-method/connect.');
      const read = await accounts.readConnect(account);
      if (read.is === 'unknown') return stripeSilent;
      if (read.is === 'declined') return refuse('unprocessable', 'Stripe knows this account no more; begin again.');
      if (read.is === 'not_yet') return refuse('unprocessable', `Stripe still asks ${read.missing} questions; open its form again.`);
      return account;
    },
    async handle({ platform, db, ids, prepared: stripe, now }) {
      const method = await setPayoutMethod(db, platform.secrets, { creatorId: ids.creator, to: { stripe }, at: now });
      return { payout_method: showMethod(method) };
    },
  });
