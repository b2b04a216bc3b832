import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { disputeLost } from './billing/disputes.ts';
import { providerOfCharge, settleCharge } from './billing/settle-from-outside.ts';
import { payoutReturned, providerOfPayout, settlePayout } from './payouts/news.ts';
import type { Queryable } from './platform/database/database.ts';
import { never } from './platform/must.ts';
import { warnOfCharge } from './risk/charge-warnings.ts';
import { realNow } from './platform/time.ts';
import type { ProviderNews, ReadProviderNews } from './providers/provider.ts';
import type { Money } from './providers/providers.ts';

/** Told again: the provider sends what is not answered with 2xx once more, later and later. */
const notNow = { status: 503, reason: 'temporarily_unavailable', message: 'Its end cannot be known yet; tell it again.' } as const;
const taken = { status: 200, reason: 'taken', message: 'Thank you.' } as const;
const againSeconds = 60;

/** `POST /api/v1/providers/:provider/news`: what a payment provider tells by itself, believed by its signature on the raw bytes. */
export function registerProviderNews(app: FastifyInstance, money: Money): void {
  const { readNews } = money.providers;
  for (const [provider, read] of Object.entries(readNews)) {
    if (read === null) continue;
    app.post(`/api/v1/providers/${provider}/news`, async (request, reply) => {
      const { status, reason, message } = await hear(money, { provider, read }, request);
      if (status === 503) reply.header('retry-after', String(againSeconds));
      return answer(reply, { status, reason, message });
    });
  }
}

type Heard = { readonly status: number; readonly reason: string; readonly message: string };

const answer = (reply: FastifyReply, { status, reason, message }: Heard): FastifyReply =>
  reply.status(status).send({ ok: status === 200, reason, message });

type Teller = { readonly provider: string; readonly read: ReadProviderNews };

async function hear(money: Money, { provider, read }: Teller, { body, headers }: FastifyRequest): Promise<Heard> {
  const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0);
  const heard = await read(bytes, texts(headers), realNow());
  switch (heard.is) {
    case 'forged':
      return { status: 400, reason: 'bad_signature', message: `The signature does not hold: ${heard.why}` };
    case 'malformed':
      // A 2xx would hide it: with 400 the provider shows the event as failed, and sends it again once the operator has put it right.
      money.platform.log.error({ provider, why: heard.why }, 'a provider sent a signed event that cannot be read');
      return { status: 400, reason: 'invalid_request', message: `The event is signed, but cannot be read: ${heard.why}` };
    case 'not_now':
      return notNow;
    case 'read':
      if (await isAboutAnothers(money, provider, heard.news)) return taken;
      return (await take(money, heard.news)) ? taken : notNow;
    default:
      return never(heard);
  }
}

/**
 * A signature proves who speaks, and a provider speaks of what it was asked for: of what another one was, or a person, it is
 * believed nothing, whatever reference somebody gave to something there.
 */
async function isAboutAnothers({ platform }: Money, provider: string, news: ProviderNews): Promise<boolean> {
  const asked = await providerAsked(platform.database, news);
  if (asked === null || asked === provider) return false;
  platform.log.error({ news: news.newsId, provider, asked }, 'a provider told of what another one was asked for; it is not believed');
  return true;
}

async function providerAsked(db: Queryable, news: ProviderNews): Promise<string | null> {
  switch (news.about) {
    case 'charge':
    case 'dispute_lost':
    case 'dispute_opened':
    case 'dispute_won':
    case 'fraud_warning':
    case 'charge_refunded':
      return providerOfCharge(db, news.reference);
    case 'payout':
    case 'payout_returned':
      return providerOfPayout(db, news.reference);
    case 'nothing':
      return null;
    default:
      return never(news);
  }
}

/** False: it is ours, and cannot be settled yet. What is about nobody here is taken: another installation may share the account. */
async function take(money: Money, news: ProviderNews): Promise<boolean> {
  switch (news.about) {
    case 'charge':
      return (await settleCharge(money, news.reference, news.outcome)) !== 'not_now';
    case 'payout':
      return (await settlePayout(money, news.reference, news.outcome)) !== 'later';
    case 'dispute_lost':
      await warnOfCharge(money, { ...news, about: 'dispute_lost' });
      return (await disputeLost(money, news)) !== 'not_now';
    case 'dispute_opened':
    case 'dispute_won':
    case 'fraud_warning':
    case 'charge_refunded':
      await warnOfCharge(money, { ...news, about: news.about });
      return true;
    case 'payout_returned':
      return (await payoutReturned(money, news)) !== 'later';
    case 'nothing':
      money.platform.log.info({ news: news.newsId, what: news.what }, 'a provider told what is no end of anything here');
      return true;
    default:
      return never(news);
  }
}

const texts = (headers: FastifyRequest['headers']): Readonly<Record<string, string | undefined>> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value]));
