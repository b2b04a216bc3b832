import type { StripeBook, StripeObject } from './stripe-book.ts';

export type StripeRequest = {
  readonly method: string;
  readonly path: string;
  /** Form fields or the query, by their names as sent: `metadata[reference]`. */
  readonly fields: ReadonlyMap<string, string>;
  readonly key: string | null;
};
export type Answer = { readonly status: number; readonly body: Record<string, unknown> };

type Operation = {
  readonly required: readonly string[];
  readonly optional?: readonly string[];
  /** A POST that moves or creates something must be safe to retry. */
  readonly needsKey?: boolean;
  readonly answer: (request: StripeRequest, book: StripeBook, id: string) => Answer;
};

const good = (body: Record<string, unknown>): Answer => ({ status: 200, body });
export const refused = (status: number, error: Record<string, unknown>): Answer => ({ status, body: { error } });
const invalid = (code: string, message: string) => refused(400, { type: 'invalid_request_error', code, message });
const missing = (id: string) => refused(404, { type: 'invalid_request_error', code: 'resource_missing', message: `No such object: ${id}` });

const reference = 'metadata[reference]';
const methods = ['automatic_payment_methods[enabled]', 'automatic_payment_methods[allow_redirects]'];

const controller = [
  'controller[fees][payer]',
  'controller[losses][payments]',
  'controller[requirement_collection]',
  'controller[stripe_dashboard][type]',
];

/** Every request that we send to Stripe, with its required and allowed fields. Any other is a bug of ours. */
export const operations: Readonly<Record<string, Operation>> = {
  'POST /v1/payment_intents': {
    required: ['amount', 'currency', 'customer', 'payment_method', 'off_session', 'confirm', 'description', reference, ...methods],
    needsKey: true,
    answer: makePayment,
  },
  'GET /v1/payment_intents': { required: ['customer', 'limit'], optional: ['starting_after'], answer: listPayments },
  'GET /v1/payment_intents/:id': { required: [], answer: retrieve },
  'POST /v1/payment_intents/:id/cancel': {
    required: [],
    needsKey: true,
    answer: (_request, book, id) => good(book.change(id, { status: 'canceled', canceled_at: 1 })),
  },
  'POST /v1/transfers': {
    required: ['amount', 'currency', 'destination', 'description', 'transfer_group', reference],
    needsKey: true,
    answer: makeTransfer,
  },
  'GET /v1/transfers': { required: ['transfer_group', 'limit'], answer: listTransfers },
  'GET /v1/transfers/:id': { required: [], answer: retrieve },
  'POST /v1/customers': {
    required: ['email', reference],
    needsKey: true,
    answer: ({ fields }, book) => good(book.add({ id: book.newId('cus'), object: 'customer', email: fields.get('email') })),
  },
  'POST /v1/checkout/sessions': {
    required: ['mode', 'currency', 'customer', 'success_url', 'cancel_url', reference, 'setup_intent_data[metadata][reference]'],
    needsKey: true,
    answer: makeCheckout,
  },
  'GET /v1/checkout/sessions/:id': { required: ['expand[0]'], answer: retrieveCheckout },
  'POST /v1/accounts': {
    required: ['country', 'email', ...controller, 'capabilities[transfers][requested]', reference],
    optional: ['tos_acceptance[service_agreement]'],
    needsKey: true,
    answer: makeAccount,
  },
  // Requests of the platform account.
  'GET /v1/account': { required: [], answer: () => good({ id: 'acct_platform', object: 'account', country: 'US' }) },
  'GET /v1/accounts/:id': { required: [], answer: retrieve },
  'POST /v1/account_links': {
    required: ['account', 'type', 'return_url', 'refresh_url'],
    answer: ({ fields }) => good({ object: 'account_link', url: `https://connect.stripe.example/${fields.get('account')}` }),
  },
};

/** Under the full agreement where Stripe pays across borders, under the recipient agreement elsewhere. */
function makeAccount({ fields }: StripeRequest, book: StripeBook): Answer {
  const [country, agreement] = [fields.get('country') ?? '', fields.get('tos_acceptance[service_agreement]') ?? 'full'];
  const expected = ['US', 'DE', 'GB', 'CA', 'CH'].includes(country) ? 'full' : 'recipient';
  if (agreement !== expected) return invalid('parameter_invalid', `accounts in ${country} are made under the ${expected} agreement`);
  const sent = Object.fromEntries(controller.map((name) => [name, fields.get(name)]));
  const tos = { tos_acceptance: { service_agreement: agreement } };
  return good(book.add({ id: book.newId('acct'), object: 'account', country, ...tos, ...sent, ...unfinished }));
}

const unfinished = { capabilities: { transfers: 'inactive' }, requirements: { currently_due: ['external_account'] } };

/** `pm_declined_2` and `acct_declined_2` are both `declined`. */
export const wordIn = (name: string): string => name.replace(/^(pm|acct)_/, '').replace(/_\d+$/, '');

const amountMin = 50;

function makePayment({ fields }: StripeRequest, book: StripeBook): Answer {
  const word = wordIn(fields.get('payment_method') ?? '');
  if (word === 'gone') return missing('payment_method');
  if (Number(fields.get('amount')) < amountMin) return invalid('amount_too_small', 'Amount must be at least $0.50 usd');
  const failure = failures[word];
  const made = book.add({
    ...paymentOf(fields, book),
    status: failure === undefined ? (statuses[word] ?? 'succeeded') : 'requires_payment_method',
    last_payment_error: failure ?? null,
  });
  if (failure === undefined) return good(made);
  return refused(402, { ...failure, payment_intent: made });
}

function paymentOf(fields: StripeRequest['fields'], book: StripeBook): StripeObject {
  return {
    id: book.newId('pi'),
    object: 'payment_intent',
    amount: Number(fields.get('amount')),
    currency: fields.get('currency'),
    customer: fields.get('customer'),
    payment_method: fields.get('payment_method'),
    description: fields.get('description'),
    metadata: { reference: fields.get(reference) },
    livemode: false,
  };
}

const cardError = { type: 'card_error', message: 'Your card was declined.' };
const failures: Readonly<Record<string, Record<string, unknown>>> = {
  declined: { ...cardError, code: 'card_declined', decline_code: 'generic_decline' },
  insufficient: { ...cardError, code: 'card_declined', decline_code: 'insufficient_funds' },
  confirm: { ...cardError, code: 'authentication_required', decline_code: 'authentication_required' },
};
const statuses: Readonly<Record<string, string>> = { waits: 'requires_action', pending: 'processing' };

function listPayments({ fields }: StripeRequest, book: StripeBook): Answer {
  const own = book.listed('payment_intent').filter(({ customer }) => customer === fields.get('customer'));
  const start = own.findIndex(({ id }) => id === fields.get('starting_after')) + 1;
  const end = start + Number(fields.get('limit'));
  return good({ object: 'list', url: '/v1/payment_intents', data: own.slice(start, end), has_more: end < own.length });
}

function retrieve(_request: StripeRequest, book: StripeBook, id: string): Answer {
  const found = book.find(id);
  return found === undefined ? missing(id) : good(found);
}

function makeTransfer({ fields }: StripeRequest, book: StripeBook): Answer {
  const word = wordIn(fields.get('destination') ?? '');
  if (word === 'declined')
    return invalid('insufficient_capabilities_for_transfer', 'Your destination account needs the transfers capability');
  if (word === 'insufficient') return invalid('balance_insufficient', 'You have insufficient available funds in your Stripe account.');
  return good(
    book.add({
      id: book.newId('tr'),
      object: 'transfer',
      amount: Number(fields.get('amount')),
      destination: fields.get('destination'),
      transfer_group: fields.get('transfer_group'),
      metadata: { reference: fields.get(reference) },
      reversed: false,
    }),
  );
}

function listTransfers({ fields }: StripeRequest, book: StripeBook): Answer {
  const data = book.listed('transfer').filter((transfer) => transfer['transfer_group'] === fields.get('transfer_group'));
  return good({ object: 'list', url: '/v1/transfers', data: data.slice(0, Number(fields.get('limit'))), has_more: false });
}

/** A setup page for a card. A test simulates the customer by changing the setup behind it. */
function makeCheckout({ fields }: StripeRequest, book: StripeBook): Answer {
  if (fields.get('mode') !== 'setup' || fields.get('currency') !== 'usd') return invalid('parameter_invalid', 'mode and currency');
  if (!fields.get('success_url')?.includes('{CHECKOUT_SESSION_ID}')) return invalid('parameter_invalid', 'success_url');
  const customer = fields.get('customer');
  const metadata = { reference: fields.get('setup_intent_data[metadata][reference]') };
  const setup = book.add({
    id: book.newId('seti'),
    object: 'setup_intent',
    customer,
    metadata,
    status: 'requires_payment_method',
    payment_method: null,
  });
  const id = book.newId('cs_test');
  const url = `https://checkout.stripe.example/c/${id}`;
  return good(
    book.add({
      id,
      object: 'checkout.session',
      mode: 'setup',
      status: 'open',
      url,
      customer,
      metadata: { reference: fields.get(reference) },
      setup_intent: setup.id,
      success_url: fields.get('success_url'),
      cancel_url: fields.get('cancel_url'),
    }),
  );
}

/** A saved card: `pm_ok_ada` and `pm_late_ada` are the same one. */
const cardOf = (id: string) => ({ id, object: 'payment_method', card: { fingerprint: `card_of_${id.split('_').at(-1)}` } });

function retrieveCheckout(_request: StripeRequest, book: StripeBook, id: string): Answer {
  const found = book.find(id);
  if (found === undefined) return missing(id);
  const setup = book.find(String(found['setup_intent']));
  const method = setup?.['payment_method'];
  return good({ ...found, setup_intent: { ...setup, payment_method: typeof method === 'string' ? cardOf(method) : method } });
}

/** What is wrong with a request, against the list above and the headers that every request needs. */
export function problemsOf({ method, fields, key }: StripeRequest, operation: Operation): readonly string[] {
  const allowed = new Set([...operation.required, ...(operation.optional ?? [])]);
  return [
    ...operation.required.filter((name) => !fields.has(name)).map((name) => `misses ${name}`),
    ...[...fields.keys()].filter((name) => !allowed.has(name)).map((name) => `has ${name}`),
    ...(operation.needsKey === true && key === null ? ['has no idempotency key'] : []),
    ...(method === 'GET' && key !== null ? ['reads with an idempotency key'] : []),
  ];
}
