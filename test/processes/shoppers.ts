import { Agent, request, type RequestOptions } from 'node:http';
import { clickIn, type Merchant } from '../support/merchant.ts';
import { browser } from '../support/link-visitor.ts';

/** Shoppers and the store's server, which record every request that was not answered correctly. */
export type Shopping = {
  readonly during: (work: () => Promise<void>) => Promise<void>;
  readonly requests: () => number;
  readonly failed: () => readonly string[];
  /** Requests that were answered with 200. */
  readonly orders: () => readonly string[];
};

type Answer = { readonly status: number; readonly location: string | null };

const eachKind = 6;

/** Half of the shoppers reuse their connections, as a proxy does; half open one for each request, as browsers do. */
export function openShopping({ service, world, at }: Merchant): Shopping {
  const failed: string[] = [];
  const orders: string[] = [];
  let requests = 0;
  const shopping = { isOpen: true };

  const ask = async (what: string, wanted: number, sent: Promise<Answer>): Promise<Answer | null> => {
    requests += 1;
    const answer = await sent.catch((error: unknown) => String(error));
    if (typeof answer !== 'string' && answer.status === wanted) return answer;
    failed.push(`${what}: ${typeof answer === 'string' ? answer : answer.status}`);
    return null;
  };
  async function buy(agent: Agent | false, name: string): Promise<void> {
    for (let number = 0; shopping.isOpen; number++) {
      const visited = await ask(
        'redirect',
        302,
        send(`${service.url}/r/${world.link.code}`, { agent, headers: { 'user-agent': browser } }),
      );
      if (visited === null) continue;
      const order = {
        order_id: `${name} ${number}`,
        click_id: clickIn(visited.location),
        currency: 'USD',
        order_subtotal_cents: 10_005,
        occurred_at: at(),
      };
      const headers = { authorization: `Bearer ${world.store.postback_key}`, 'content-type': 'application/json' };
      const url = `${service.url}/api/partner-network/postbacks/${world.store.tracking_key}/conversions`;
      const reported = await ask('postback', 200, send(url, { agent, headers, method: 'POST' }, JSON.stringify(order)));
      if (reported !== null) orders.push(order.order_id);
    }
  }
  return {
    async during(work) {
      shopping.isOpen = true;
      const agent = new Agent({ keepAlive: true });
      const kept = Array.from({ length: eachKind }, (_none, index) => buy(agent, `kept ${requests} ${index}`));
      const fresh = Array.from({ length: eachKind }, (_none, index) => buy(false, `fresh ${requests} ${index}`));
      await work().finally(() => (shopping.isOpen = false));
      await Promise.all([...kept, ...fresh]);
      agent.destroy();
    },
    requests: () => requests,
    failed: () => failed,
    orders: () => orders,
  };
}

function send(url: string, options: RequestOptions, body?: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const going = request(url, options, (answer) => {
      answer.resume();
      answer.once('error', reject);
      answer.once('end', () => resolve({ status: answer.statusCode ?? 0, location: answer.headers.location ?? null }));
    });
    going.once('error', reject);
    going.end(body);
  });
}
