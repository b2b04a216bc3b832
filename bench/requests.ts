import { createSecretKey } from 'node:crypto';
import { mintClickId } from '../src/contract/click-id.ts';

/** The requests to a contestant, over a number of connections, each with at most one request in progress. */
export type Load = {
  readonly port: number;
  readonly connections: number;
  readonly seconds: number;
  /** Requests are due at this rate, whether or not earlier ones were answered. By default each connection sends after each answer. */
  readonly perSecond?: number;
  readonly requests: Visits | Orders;
};
export type Visits = { readonly are: 'visits'; readonly code: string };
export type Orders = {
  readonly are: 'orders';
  readonly trackingKey: string;
  readonly postbackKey: string;
  readonly linkNumber: string;
  readonly signingKey: string;
  /** Part of every order's ID, so that no two runs use the same order. */
  readonly run: string;
  readonly ordersMax: number;
  readonly discountCode: string | null;
};

/** One request that is repeated, or a list in which each is sent once. */
export const requestsOf = ({ requests }: Load): readonly Buffer[] => (requests.are === 'visits' ? [visit(requests)] : orders(requests));

const userAgent = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Safari/537.36';

const visit = ({ code }: Visits): Buffer =>
  Buffer.from(`GET /r/${code} HTTP/1.1\r\nHost: localhost\r\nUser-Agent: ${userAgent}\r\nAccept: text/html\r\n\r\n`);

/** Built before the measurement: each order has its own ID and its own click. */
function orders({ trackingKey, postbackKey, linkNumber, signingKey, run: runName, ordersMax, discountCode }: Orders): readonly Buffer[] {
  const keys = [{ signsFrom: new Date(0), key: createSecretKey(Buffer.from(signingKey, 'hex')) }];
  const at = new Date();
  const target = `/api/partner-network/postbacks/${trackingKey}/conversions`;
  const headers = `Host: localhost\r\nAuthorization: Bearer ${postbackKey}\r\nContent-Type: application/json\r\n`;
  const head = `POST ${target} HTTP/1.1\r\n${headers}`;
  const named = discountCode === null ? {} : { discount_code: discountCode };
  return Array.from({ length: ordersMax }, (_none, place) => {
    const { text } = mintClickId({ kind: 'referral', at, linkNumber: BigInt(linkNumber), keys });
    const order = { order_id: `order-${runName}-${place}`, click_id: text, currency: 'USD', order_subtotal_cents: 12_345 };
    const body = JSON.stringify({ ...order, occurred_at: at.toISOString(), customer_id: `customer-${place}`, ...named });
    return Buffer.from(`${head}Content-Length: ${body.length}\r\n\r\n${body}`);
  });
}
