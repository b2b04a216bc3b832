import { createSecretKey } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { mintClickId } from '../src/contract/click-id.ts';
import { readJob } from './child.ts';

/**
 * The other side of the wire, in a process of its own: so many connections, each with one request under way. It speaks
 * just enough HTTP to see where an answer ends, because every cycle that it takes is missing to the server beside it.
 */
export type Load = {
  readonly port: number;
  readonly connections: number;
  readonly seconds: number;
  readonly requests: Visits | Orders;
};
export type Visits = { readonly are: 'visits'; readonly code: string };
export type Orders = {
  readonly are: 'orders';
  readonly trackingKey: string;
  readonly postbackKey: string;
  readonly linkNumber: string;
  readonly signingKey: string;
  /** Part of every order's id, so that no two runs name the same order. */
  readonly run: string;
  readonly ordersMax: number;
};

export type Loaded = {
  readonly answers: Readonly<Record<string, number>>;
  readonly seconds: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
};

const lastAnswersMsMax = 8_000;
const userAgent = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Safari/537.36';

process.stdout.write(`${JSON.stringify(await run(await readJob<Load>()))}\n`);
process.exit(0);

async function run({ port, connections, seconds, requests }: Load): Promise<Loaded> {
  const next = requests.are === 'visits' ? visits(requests) : orders(requests);
  const answers: Record<string, number> = {};
  const latencies: number[] = [];
  const beganAt = performance.now();
  const sendUntil = beganAt + seconds * 1_000;
  const talks = Array.from({ length: connections }, () =>
    talk(port, () => (performance.now() < sendUntil ? next() : null), {
      onAnswer(status, tookMs) {
        answers[status] = (answers[status] ?? 0) + 1;
        latencies.push(tookMs);
      },
    }),
  );
  await Promise.race([Promise.all(talks), new Promise((resolve) => setTimeout(resolve, seconds * 1_000 + lastAnswersMsMax))]);
  latencies.sort((one, other) => one - other);
  const at = (part: number) => latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * part))] ?? 0;
  return { answers, seconds: (performance.now() - beganAt) / 1_000, p50Ms: at(0.5), p99Ms: at(0.99) };
}

type Hearing = { readonly onAnswer: (status: string, tookMs: number) => void };

/** One connection: the next request when the last one's answer is whole, until there is none. */
async function talk(port: number, next: () => Buffer | null, { onAnswer }: Hearing): Promise<void> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  await once(socket, 'connect');
  let sentAt = 0;
  let came = '';
  const ask = () => {
    const request = next();
    if (request === null) return void socket.end();
    sentAt = performance.now();
    socket.write(request);
  };
  socket.on('data', (chunk: Buffer) => {
    came += chunk.toString('latin1');
    const headEnd = came.indexOf('\r\n\r\n');
    if (headEnd === -1) return;
    const length = /content-length: (\d+)/i.exec(came);
    if (came.length < headEnd + 4 + Number(length?.[1] ?? 0)) return;
    const status = came.slice(9, 12);
    came = '';
    onAnswer(status, performance.now() - sentAt);
    ask();
  });
  ask();
  await once(socket, 'close');
}

function visits({ code }: Visits): () => Buffer {
  const request = Buffer.from(`GET /r/${code} HTTP/1.1\r\nHost: localhost\r\nUser-Agent: ${userAgent}\r\nAccept: text/html\r\n\r\n`);
  return () => request;
}

/** Made before the clock runs: each order has its own id and its own click. */
function orders({ trackingKey, postbackKey, linkNumber, signingKey, run: runName, ordersMax }: Orders): () => Buffer | null {
  const keys = [{ signsFrom: new Date(0), key: createSecretKey(Buffer.from(signingKey, 'hex')) }];
  const at = new Date();
  const target = `/api/partner-network/postbacks/${trackingKey}/conversions`;
  const headers = `Host: localhost\r\nAuthorization: Bearer ${postbackKey}\r\nContent-Type: application/json\r\n`;
  const head = `POST ${target} HTTP/1.1\r\n${headers}`;
  const requests = Array.from({ length: ordersMax }, (_none, place) => {
    const { text } = mintClickId({ kind: 'referral', at, linkNumber: BigInt(linkNumber), keys });
    const order = { order_id: `order-${runName}-${place}`, click_id: text, currency: 'USD', order_subtotal_cents: 12_345 };
    const body = JSON.stringify({ ...order, occurred_at: at.toISOString(), customer_id: `customer-${place}` });
    return Buffer.from(`${head}Content-Length: ${body.length}\r\n\r\n${body}`);
  });
  let place = 0;
  return () => requests[place++] ?? null;
}
