import { Type as T } from 'typebox';
import type { Static } from '../core/static.ts';
import type { AuditAction } from '../people/audit-actions.ts';
import { endpoint } from '../people/endpoint.ts';
import { listTeamMembers } from '../people/team-sql.ts';
import type { Queryable } from '../db/database.ts';
import { errorForLog } from '../db/sql-errors.ts';
import { refuse, type Refusal } from '../http/responses.ts';
import { isoTime, namedObject, orNull } from '../http/fields.ts';
import { publicId, type Id } from '../core/ids.ts';
import type { Platform } from '../runtime/platform.ts';
import type { StripeAccounts } from '../payments/stripe-accounts.ts';
import { paymentMethodsOf, removePaymentMethod, setPaymentMethod, type PaymentMethod } from './payment-methods-sql.ts';
import { apiMessage } from '../messages/api-message.ts';

const methodJson = orNull(T.Object({ provider: T.String(), sandbox: orNull(T.String()), since: T.String() }));
const reply = namedObject('PaymentMethods', {
  payment_method: methodJson,
  backup_payment_method: methodJson,
  takes_cards: T.Boolean({ description: 'Whether this installation can save cards at Stripe, with POST …/payment-method/setup' }),
});

/** Charges outstanding invoices after a method changes. Passed in, because billing is in a higher layer. */
export type ChargeOutstanding = (platform: Platform, storeId: Id<'store'>, now: Date) => Promise<void>;

/** `accounts` is null without a Stripe key. */
export type PaymentMethodDependencies = { readonly chargeOutstanding: ChargeOutstanding; readonly accounts: StripeAccounts | null };

/** Does not expose the provider's ID of a saved method. */
const showMethod = (method: PaymentMethod | undefined): Static<typeof methodJson> =>
  method === undefined
    ? null
    : { provider: method.provider, sandbox: method.provider === 'sandbox' ? method.instrument : null, since: isoTime(method.madeAt) };

type Accounts = StripeAccounts | null;

async function showMethods(db: Queryable, storeId: Id<'store'>, accounts: Accounts): Promise<Static<typeof reply>> {
  const methods = await paymentMethodsOf(db, storeId);
  return {
    payment_method: showMethod(methods.find(({ isBackup }) => !isBackup)),
    backup_payment_method: showMethod(methods.find(({ isBackup }) => isBackup)),
    takes_cards: accounts !== null,
  };
}

const sandboxWords = T.Union([T.Literal('ok'), T.Literal('declined'), T.Literal('timeout_then_ok'), T.Literal('insufficient_then_ok')]);
const setupLengthMax = 200;
const body = T.Object(
  {
    sandbox: T.Optional(sandboxWords),
    stripe: T.Optional(
      T.Object(
        { setup_id: T.String({ minLength: 1, maxLength: setupLengthMax, pattern: '^cs_[A-Za-z0-9_]+$' }) },
        { additionalProperties: false, description: 'The ID from POST …/payment-method/setup, after the card was entered' },
      ),
    ),
  },
  { additionalProperties: false },
);

type Method = Pick<PaymentMethod, 'provider' | 'instrument'> & { readonly cardFingerprint: string | null };

/** Resolves the method with its provider before anything is written: a sandbox outcome, or a card that Stripe saved. */
async function resolveMethod(
  { sandbox, stripe }: Static<typeof body>,
  { accounts, mode, storeId }: { readonly accounts: Accounts; readonly mode: 'sandbox' | 'live'; readonly storeId: Id<'store'> },
): Promise<Method | Refusal> {
  if ((sandbox === undefined) === (stripe === undefined))
    return refuse('invalid_request', apiMessage('shared.body_invalid'), [
      { field: 'sandbox', message: apiMessage('payment_methods.or_stripe_required_but_not') },
    ]);
  if (sandbox !== undefined)
    return mode === 'live'
      ? refuse('unprocessable', apiMessage('payment_methods.installation_live_mode_where_sandbox'))
      : { provider: 'sandbox', instrument: sandbox, cardFingerprint: null };
  if (accounts === null || stripe === undefined) return withoutStripe;
  const read = await accounts.readSetup(stripe.setup_id);
  if (read.is === 'unknown') return stripeUnavailable;
  if (read.is === 'declined' || (read.is === 'ready' && read.reference !== publicId('store', storeId)))
    return refuse('unprocessable', apiMessage('payment_methods.setup_does_not_exist_at'), [
      { field: 'stripe.setup_id', message: apiMessage('payment_methods.not_known') },
    ]);
  if (read.is === 'not_yet')
    return refuse('unprocessable', apiMessage('payment_methods.card_not_saved_yet_enter'), [
      { field: 'stripe.setup_id', message: apiMessage('payment_methods.setup_status', { status: read.status }) },
    ]);
  return { provider: 'stripe', instrument: read.instrument, cardFingerprint: read.cardFingerprint };
}

const withoutStripe = refuse('unprocessable', apiMessage('shared.stripe_not_configured'));
const stripeUnavailable = refuse('temporarily_unavailable', apiMessage('shared.stripe_not_responding'));

const setMethodEndpoint = (
  { chargeOutstanding, accounts }: PaymentMethodDependencies,
  options: { readonly summary: string; readonly audit: AuditAction; readonly isBackup: boolean },
) =>
  endpoint({
    summary: options.summary,
    access: { allow: 'store', permission: 'billing:write' },
    proof: true,
    body,
    reply,
    audit: options.audit,
    prepare: ({ platform, ids, body: request }) => resolveMethod(request, { accounts, mode: platform.config.mode, storeId: ids.store }),
    async handle({ db, ids, prepared, now }) {
      const { isBackup } = options;
      await setPaymentMethod(db, { storeId: ids.store, ...prepared, isBackup, at: now });
      return showMethods(db, ids.store, accounts);
    },
    async afterCommit({ platform, ids, now }, made) {
      // The method remains set even if charging fails; a scheduled job retries the charge.
      await chargeOutstanding(platform, ids.store, now).catch((error: unknown) =>
        platform.log.error({ store: publicId('store', ids.store), error: errorForLog(error) }, 'could not charge outstanding invoices'),
      );
      return made;
    },
  });

export const setPaymentMethodEndpoint = (dependencies: PaymentMethodDependencies) =>
  setMethodEndpoint(dependencies, {
    summary: 'Set the payment method of the store, and pay open invoices; in the sandbox, the method sets the result of charges',
    audit: 'payment_method.set',
    isBackup: false,
  });

export const setBackupMethodEndpoint = (dependencies: PaymentMethodDependencies) =>
  setMethodEndpoint(dependencies, {
    summary: 'Set the backup payment method for declined charges, and pay open invoices',
    audit: 'backup_payment_method.set',
    isBackup: true,
  });

const beginSetup = (accounts: Accounts, options: { readonly summary: string; readonly audit: AuditAction; readonly parameter: string }) =>
  endpoint({
    summary: options.summary,
    access: { allow: 'store', permission: 'billing:write' },
    reply: T.Object({
      setup_id: T.String(),
      url: T.String({ description: 'The page at Stripe where the card is entered; it leads back to the dashboard' }),
    }),
    status: 201,
    alsoRefuses: ['unprocessable'],
    audit: options.audit,
    inTransaction: false,
    async handle({ platform, ids }) {
      if (accounts === null) return withoutStripe;
      const { database, config } = platform;
      const owner = (await listTeamMembers(database, ids.store)).find(({ role }) => role === 'owner');
      if (owner === undefined) return refuse('unprocessable', apiMessage('payment_methods.store_has_no_owner_and'));
      const methods = await paymentMethodsOf(database, ids.store);
      const customer = methods.find(({ provider }) => provider === 'stripe')?.instrument.split('|')[0] ?? null;
      const reference = publicId('store', ids.store);
      const page = `${config.baseUrl}/stores/${reference}/billing`;
      const successUrl = `${page}?${options.parameter}={CHECKOUT_SESSION_ID}`;
      const setup = await accounts.beginSetup({ reference, email: owner.email, customer, successUrl, cancelUrl: page });
      if (setup.is === 'unknown') return stripeUnavailable;
      if (setup.is === 'declined') return refuse('unprocessable', apiMessage('shared.stripe_rejected', { message: setup.message }));
      return { setup_id: setup.setupId, url: setup.url };
    },
  });

export const beginSetupEndpoint = (accounts: Accounts) =>
  beginSetup(accounts, {
    summary: 'Start to save a card at Stripe: returns the URL of a page at Stripe that leads back to the dashboard',
    audit: 'payment_method.setup_begun',
    parameter: 'card',
  });

export const beginBackupSetupEndpoint = (accounts: Accounts) =>
  beginSetup(accounts, {
    summary: 'Start to save a backup card at Stripe',
    audit: 'backup_payment_method.setup_begun',
    parameter: 'backup_card',
  });

export const removeBackupMethodEndpoint = (accounts: Accounts) =>
  endpoint({
    summary: 'Remove the backup payment method',
    access: { allow: 'store', permission: 'billing:write' },
    proof: true,
    reply,
    audit: 'backup_payment_method.removed',
    async handle({ db, ids, now }) {
      await removePaymentMethod(db, { storeId: ids.store, isBackup: true, at: now });
      return showMethods(db, ids.store, accounts);
    },
  });

export const getPaymentMethodEndpoint = (accounts: Accounts) =>
  endpoint({
    summary: 'Get the payment methods of the store',
    access: { allow: 'store', permission: 'store:read' },
    reply,
    handle: ({ db, ids }) => showMethods(db, ids.store, accounts),
  });
