import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { loseDispute } from '../billing/chargebacks.ts';
import { providerOfCharge, handleChargeEvent } from '../billing/charge-invoice.ts';
import { handlePayoutReturned, providerOfPayout, handlePayoutEvent } from '../payouts/send-payout.ts';
import type { Queryable } from '../db/database.ts';
import { never } from '../core/invariant.ts';
import { handleChargeWarning } from '../risk/charge-warnings.ts';
import { realNow } from '../core/time.ts';
import type { ProviderEvent, ReadProviderEvent } from '../payments/provider.ts';
import type { Money } from '../payments/providers.ts';
import { apiMessage } from '../messages/api-message.ts';

/** The provider retries, with growing delays, every event that is not answered with 2xx. */
const retryLater = {
  status: 503,
  reason: 'temporarily_unavailable',
  message: apiMessage('payment_webhooks.its_end_cannot_known_yet'),
} as const;
const accepted = { status: 200, reason: 'taken', message: apiMessage('payment_webhooks.thank_you') } as const;
const retryAfterSeconds = 60;

/** `POST /api/v1/providers/:provider/news`: webhook events of payment providers, authenticated by the signature of the raw body. */
export function registerPaymentWebhooks(app: FastifyInstance, money: Money): void {
  const { readEvent } = money.providers;
  for (const [provider, read] of Object.entries(readEvent)) {
    if (read === null) continue;
    app.post(`/api/v1/providers/${provider}/news`, async (request, reply) => {
      const { status, reason, message } = await handleWebhook(money, { provider, read }, request);
      if (status === 503) reply.header('retry-after', String(retryAfterSeconds));
      return sendResponse(reply, { status, reason, message });
    });
  }
}

type WebhookResponse = { readonly status: number; readonly reason: string; readonly message: string };

const sendResponse = (reply: FastifyReply, { status, reason, message }: WebhookResponse): FastifyReply =>
  reply.status(status).send({ ok: status === 200, reason, message });

type WebhookSource = { readonly provider: string; readonly read: ReadProviderEvent };

async function handleWebhook(money: Money, { provider, read }: WebhookSource, { body, headers }: FastifyRequest): Promise<WebhookResponse> {
  const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0);
  const result = await read(bytes, joinHeaderValues(headers), realNow());
  switch (result.is) {
    case 'forged':
      return { status: 400, reason: 'bad_signature', message: apiMessage('payment_webhooks.signature_does_not_hold', { why: result.why }) };
    case 'malformed':
      // A 2xx would hide it: with 400 the provider shows the event as failed, and sends it again once the operator has put it right.
      money.platform.log.error({ provider, why: result.why }, 'a provider sent a signed event that cannot be read');
      return {
        status: 400,
        reason: 'invalid_request',
        message: apiMessage('payment_webhooks.event_signed_but_cannot_read', { why: result.why }),
      };
    case 'not_now':
      return retryLater;
    case 'read':
      if (await belongsToOtherProvider(money, provider, result.event)) return accepted;
      return (await applyEvent(money, result.event)) ? accepted : retryLater;
    default:
      return never(result);
  }
}

/**
 * The signature authenticates the provider. An event about a charge or payout of another provider, or of a manual one, is ignored,
 * whatever reference it has.
 */
async function belongsToOtherProvider({ platform }: Money, provider: string, event: ProviderEvent): Promise<boolean> {
  const called = await providerOfSubject(platform.database, event);
  if (called === null || called === provider) return false;
  platform.log.error(
    { event: event.eventId, provider, called },
    'a webhook event of one provider names a charge or payout of another; it is ignored',
  );
  return true;
}

async function providerOfSubject(db: Queryable, event: ProviderEvent): Promise<string | null> {
  switch (event.about) {
    case 'charge':
    case 'dispute_lost':
    case 'dispute_opened':
    case 'dispute_won':
    case 'fraud_warning':
    case 'charge_refunded':
      return providerOfCharge(db, event.reference);
    case 'payout':
    case 'payout_returned':
      return providerOfPayout(db, event.reference);
    case 'nothing':
      return null;
    default:
      return never(event);
  }
}

/** Returns false if the event is about us and cannot be settled yet. Events of other installations that share the account are accepted. */
async function applyEvent(money: Money, event: ProviderEvent): Promise<boolean> {
  switch (event.about) {
    case 'charge':
      return (await handleChargeEvent(money, event.reference, event.outcome)) !== 'not_confirmed';
    case 'payout':
      return (await handlePayoutEvent(money, event.reference, event.outcome)) !== 'not_confirmed';
    case 'dispute_lost':
      await handleChargeWarning(money, { ...event, about: 'dispute_lost' });
      return (await loseDispute(money, event)) !== 'not_confirmed';
    case 'dispute_opened':
    case 'dispute_won':
    case 'fraud_warning':
    case 'charge_refunded':
      await handleChargeWarning(money, { ...event, about: event.about });
      return true;
    case 'payout_returned':
      return (await handlePayoutReturned(money, event)) !== 'not_confirmed';
    case 'nothing':
      money.platform.log.info({ event: event.eventId, what: event.what }, 'a webhook event of a provider is not relevant');
      return true;
    default:
      return never(event);
  }
}

const joinHeaderValues = (headers: FastifyRequest['headers']): Readonly<Record<string, string | undefined>> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value]));
