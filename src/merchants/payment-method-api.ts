import { Type as T } from 'typebox';
import { endpoint } from '../people/endpoint.ts';
import { refuse } from '../platform/http/answers.ts';
import { isoTime, orNull } from '../platform/http/fields.ts';
import { findPaymentMethod, setPaymentMethod, type PaymentMethod } from './payment-methods-sql.ts';

const reply = T.Object({
  payment_method: orNull(T.Object({ provider: T.String(), sandbox: orNull(T.String()), since: T.String() })),
});

/** The provider's own name of a saved method stays inside. */
const showMethod = ({ provider, instrument, madeAt }: PaymentMethod) => ({
  provider,
  sandbox: provider === 'sandbox' ? instrument : null,
  since: isoTime(madeAt),
});

const sandboxWords = T.Union([T.Literal('ok'), T.Literal('declined'), T.Literal('timeout_then_ok'), T.Literal('insufficient_then_ok')]);

export const setPaymentMethodEndpoint = endpoint({
  summary: 'Set how the store pays; in the sandbox a word says how each charge will end',
  access: { who: 'store', permission: 'billing:write' },
  body: T.Object({ sandbox: sandboxWords }, { additionalProperties: false }),
  reply,
  audit: 'payment_method.set',
  async handle({ platform, db, ids, body, now }) {
    if (platform.config.mode === 'live')
      return refuse('unprocessable', 'This installation is live: a word of the sandbox is no way to pay here.');
    const method = await setPaymentMethod(db, { storeId: ids.store, provider: 'sandbox', instrument: body.sandbox, at: now });
    return { payment_method: showMethod(method) };
  },
});

export const getPaymentMethodEndpoint = endpoint({
  summary: 'Read how the store pays',
  access: { who: 'store', permission: 'store:read' },
  reply,
  async handle({ db, ids }) {
    const method = await findPaymentMethod(db, ids.store);
    return { payment_method: method === null ? null : showMethod(method) };
  },
});
