import { createSecretKey } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { mintClickId } from '../../src/contract/click-id.ts';
import { spreadOf } from '../support/size.ts';

/** The client side in a separate process, so that its cost is not counted as the server's. It receives one job and sends one result. */
export type Job = {
  readonly port: number;
  readonly seconds: number;
  readonly store: LoadStore;
  /** Part of every order's ID, so that no two senders use the same order. */
  readonly run: string;
  readonly how:
    | { readonly is: 'one after the other'; readonly connections: number }
    /** A fixed number of requests per second, regardless of the answers. */
    | { readonly is: 'by the clock'; readonly perSecond: number; readonly connectionsMax: number }
    /** Clients that start one after the other within this time; each repeats after its Retry-After, or after `againMs` without one. */
    | { readonly is: 'crowd'; readonly connections: number; readonly withinMs: number; readonly againMs: number }
    /** Sends a byte a second, and never a whole request. */
    | { readonly is: 'dripping'; readonly connections: number };
};
export type LoadStore = {
  readonly trackingKey: string;
  readonly postbackKey: string;
  readonly linkNumber: string;
  readonly signingKey: string;
};
export type Sent = {
  /** By status: the number of answers and how long they took. `none`: the connection ended without an answer. */
  readonly answers: Readonly<Record<string, number>>;
  readonly took: Readonly<Record<string, ReturnType<typeof spreadOf>>>;
  readonly seconds: number;
  /** Requests that found every connection busy; for slow clients, the number of reconnects. */
  readonly besides: number;
  /** The longest time for which this process got no CPU. */
  readonly stoodStillMs: number;
};

const lastAnswersMs = 8_000;
const tickMs = 5;
const dripMs = 1_000;
const restMsMax = 60_000;
/** The number of connections opened at a time: a listener's queue is short. */
const openingAtOnce = 200;
const comingAtOnce = 20;

process.once('message', (job: Job) => {
  void work(job).then((sent) => {
    process.send?.(sent);
    process.disconnect();
    process.exit(0);
  });
});

type Talk = {
  readonly socket: Socket;
  readonly ask: (request: Buffer) => Promise<string>;
  /** The last Retry-After. */
  readonly retryAfterMs: () => number | null;
};

async function work(job: Job): Promise<Sent> {
  const took: Record<string, number[]> = {};
  const standstill = watchStandstill();
  const next = ordersOf(job);
  const beganAt = performance.now();
  const until = beganAt + job.seconds * 1_000;
  const isOver = () => performance.now() >= until;
  const ask = async (talk: Talk): Promise<void> => {
    const sentAt = performance.now();
    const status = await talk.ask(next());
    (took[status] ??= []).push(performance.now() - sentAt);
  };
  const again = async (talk: Talk, pauseMs: number): Promise<void> => {
    let open = talk;
    while (!isOver()) {
      await ask(open);
      const retryAfterMs = open.retryAfterMs();
      if (open.socket.destroyed) open = await openTalk(job.port);
      if (retryAfterMs !== null) await pause(retryAfterMs * (1 + Math.random() / 4));
      else if (pauseMs > 0) await pause(pauseMs * (0.5 + Math.random()));
    }
  };
  let besides = 0;
  const { how, port } = job;
  switch (how.is) {
    case 'one after the other':
      await Promise.all((await many(port, how.connections)).map((talk) => again(talk, 0)));
      break;
    case 'crowd':
      await Promise.race([eachOf(port, how, (talk) => again(talk, how.againMs)), pause(job.seconds * 1_000 + lastAnswersMs)]);
      break;
    case 'by the clock':
      besides = await byTheClock(how, { port, ask, isOver });
      break;
    case 'dripping':
      besides = await drip(port, how.connections, isOver);
  }
  const counts = Object.fromEntries(Object.entries(took).map(([status, all]) => [status, all.length]));
  const spreads = Object.fromEntries(Object.entries(took).map(([status, all]) => [status, spreadOf(all)]));
  return { answers: counts, took: spreads, seconds: (performance.now() - beganAt) / 1_000, besides, stoodStillMs: standstill() };
}

function watchStandstill(): () => number {
  let longest = 0;
  let lastAt = performance.now();
  const ticks = setInterval(() => {
    const now = performance.now();
    longest = Math.max(longest, now - lastAt - tickMs);
    lastAt = now;
  }, tickMs);
  return () => {
    clearInterval(ticks);
    return Math.round(longest);
  };
}

type Clocked = { readonly port: number; readonly ask: (talk: Talk) => Promise<void>; readonly isOver: () => boolean };

async function byTheClock(
  how: { readonly perSecond: number; readonly connectionsMax: number },
  { port, ask, isOver }: Clocked,
): Promise<number> {
  let opened = Math.min(how.connectionsMax, openingAtOnce);
  const idle = createResting(await many(port, opened));
  const underWay = new Set<Promise<void>>();
  const beganAt = performance.now();
  let wanted = 0;
  let unsent = 0;
  const askOnce = async (talk: Talk | undefined): Promise<void> => {
    const open = talk ?? (await openTalk(port));
    await ask(open);
    if (open.socket.destroyed) opened -= 1;
    else idle.rest(open);
  };
  while (!isOver()) {
    const due = Math.floor(((performance.now() - beganAt) / 1_000) * how.perSecond);
    for (; wanted < due; wanted += 1) {
      const { talk, ended } = idle.wake();
      opened -= ended;
      if (talk === undefined && opened >= how.connectionsMax) {
        unsent += 1;
        continue;
      }
      if (talk === undefined) opened += 1;
      const asking = askOnce(talk);
      underWay.add(asking);
      void asking.finally(() => underWay.delete(asking));
    }
    await pause(tickMs);
  }
  await Promise.race([Promise.all(underWay), pause(lastAnswersMs)]);
  return unsent;
}

/** Reuses the most recently idle connection. Closes one that was idle for long, because the server may close it during the next request. */
function createResting(talks: readonly Talk[]) {
  const resting = talks.map((talk) => ({ talk, since: performance.now() }));
  return {
    rest: (talk: Talk) => void resting.push({ talk, since: performance.now() }),
    wake(): { readonly talk: Talk | undefined; readonly ended: number } {
      for (let ended = 0; ; ended += 1) {
        const last = resting.pop();
        if (last === undefined || performance.now() - last.since < restMsMax) return { talk: last?.talk, ended };
        last.talk.socket.destroy();
      }
    },
  };
}

async function drip(port: number, connections: number, isOver: () => boolean): Promise<number> {
  const head = `POST /api/partner-network/postbacks/unknown/conversions HTTP/1.1\r\nHost: localhost\r\nX-Slow: ${'x'.repeat(10_000)}`;
  let cut = 0;
  await eachOf(port, { connections, withinMs: 0 }, async (talk) => {
    let { socket } = talk;
    for (let place = 0; !isOver(); place += 1) {
      if (socket.destroyed) {
        cut += 1;
        ({ socket } = await openTalk(port));
      }
      socket.write(head[place % head.length] ?? 'x');
      await pause(dripMs * (0.5 + Math.random()));
    }
    socket.destroy();
  });
  return cut;
}

type Coming = { readonly connections: number; readonly withinMs: number };

/** Opens a few at a time, and starts each as soon as it is open. */
async function eachOf(port: number, { connections, withinMs }: Coming, begin: (talk: Talk) => Promise<void>): Promise<void> {
  const begun: Promise<void>[] = [];
  const atOnce = withinMs === 0 ? openingAtOnce : comingAtOnce;
  const beganAt = performance.now();
  for (let from = 0; from < connections; from += atOnce) {
    const some = await many(port, Math.min(atOnce, connections - from));
    begun.push(...some.map(begin));
    const dueMs = (withinMs * (from + atOnce)) / connections;
    await pause(Math.max(0, dueMs - (performance.now() - beganAt)));
  }
  await Promise.all(begun);
}

const many = (port: number, count: number): Promise<Talk[]> => Promise.all(Array.from({ length: count }, () => openTalk(port)));
const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Parses just enough HTTP to find the end of an answer. */
function openTalk(port: number): Promise<Talk> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    let response = '';
    let retryAfterMs: number | null = null;
    let answer: ((status: string) => void) | null = null;
    const end = (status: string) => {
      const waiting = answer;
      answer = null;
      response = '';
      waiting?.(status);
    };
    socket.on('data', (chunk: Buffer) => {
      response += chunk.toString('latin1');
      const headEnd = response.indexOf('\r\n\r\n');
      if (headEnd === -1) return;
      const length = Number(/content-length: (\d+)/i.exec(response)?.[1] ?? 0);
      if (response.length < headEnd + 4 + length) return;
      const shown = /\r\nretry-after: (\d+)/i.exec(response)?.[1];
      retryAfterMs = shown === undefined ? null : Number(shown) * 1_000;
      if (/\r\nconnection: close/i.test(response)) socket.destroy();
      end(response.slice(9, 12));
    });
    socket.on('error', () => {});
    socket.on('close', () => end('none'));
    const talk: Talk = {
      socket,
      retryAfterMs: () => retryAfterMs,
      ask: (request) =>
        new Promise((shown) => {
          if (socket.destroyed) return shown('none');
          answer = shown;
          socket.write(request);
        }),
    };
    socket.once('connect', () => resolve(talk));
    socket.once('close', () => resolve(talk));
  });
}

function ordersOf({ store: { trackingKey, postbackKey, linkNumber, signingKey }, run }: Job): () => Buffer {
  const keys = [{ signsFrom: new Date(0), key: createSecretKey(Buffer.from(signingKey, 'hex')) }];
  const target = `/api/partner-network/postbacks/${trackingKey}/conversions`;
  const head = `POST ${target} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${postbackKey}\r\nContent-Type: application/json\r\n`;
  let place = 0;
  return () => {
    const at = new Date();
    const { text } = mintClickId({ kind: 'referral', at, linkNumber: BigInt(linkNumber), keys });
    place += 1;
    const order = { order_id: `order ${run} ${place}`, click_id: text, currency: 'USD', order_subtotal_cents: 12_345 };
    const body = JSON.stringify({ ...order, occurred_at: at.toISOString() });
    return Buffer.from(`${head}Content-Length: ${body.length}\r\n\r\n${body}`);
  };
}
