import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { readJob } from './child.ts';
import { requestsOf, type Load } from './requests.ts';

/**
 * The client side in a separate process: a fixed number of connections, each with at most one request in progress. It parses just enough
 * HTTP to find the end of an answer, because it shares the CPU with the server. With `perSecond`, a request whose time has come waits for a
 * free connection, and its latency begins when it was due: a slow server cannot hide by receiving fewer requests.
 */
export type Loaded = {
  readonly answers: Readonly<Record<string, number>>;
  readonly seconds: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
};

const lastAnswersMsMax = 8_000;
/** At a fixed rate, the first requests meet code that is not compiled yet, on both sides; a service that runs for days has none. */
const settlingMs = 500;

process.stdout.write(`${JSON.stringify(await run(await readJob<Load>()))}\n`);
process.exit(0);

async function run(load: Load): Promise<Loaded> {
  const { port, connections, seconds, perSecond, requests } = load;
  const ready = requestsOf(load);
  let place = 0;
  const next = () => ready[requests.are === 'visits' ? 0 : place++] ?? null;
  const answers: Record<string, number> = {};
  const latencies: number[] = [];
  const sockets = await Promise.all(Array.from({ length: connections }, () => connected(port)));
  const beganAt = performance.now();
  const sendUntil = beganAt + seconds * 1_000;
  const due = perSecond === undefined ? immediately(() => performance.now() < sendUntil) : atRate(perSecond, sendUntil);
  const countedFrom = perSecond === undefined ? beganAt : beganAt + settlingMs;
  const talks = sockets.map((socket) =>
    talk(socket, next, {
      due,
      onAnswer(status, sentAt) {
        answers[status] = (answers[status] ?? 0) + 1;
        if (sentAt >= countedFrom) latencies.push(performance.now() - sentAt);
      },
    }),
  );
  await Promise.race([Promise.all(talks), new Promise((resolve) => setTimeout(resolve, seconds * 1_000 + lastAnswersMsMax))]);
  latencies.sort((one, other) => one - other);
  const at = (part: number) => latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * part))] ?? 0;
  return { answers, seconds: (performance.now() - beganAt) / 1_000, p50Ms: at(0.5), p99Ms: at(0.99) };
}

async function connected(port: number): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  await once(socket, 'connect');
  return socket;
}

/** Resolves with the time from which the latency of the next request counts, or with null after the last request. */
type Due = () => number | null | Promise<number | null>;

function immediately(isRunning: () => boolean): Due {
  return () => (isRunning() ? performance.now() : null);
}

/** Hands out the times of a fixed rate, in order, each when it has come. */
function atRate(perSecond: number, until: number): Due {
  const pauseMs = 1_000 / perSecond;
  let at = performance.now();
  return async () => {
    at += pauseMs;
    const mine = at;
    if (mine >= until) return null;
    // A timer may fire a millisecond late, which the latency includes, or early.
    const waitMs = mine - performance.now();
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
    return Math.min(mine, performance.now());
  };
}

type Hearing = { readonly due: Due; readonly onAnswer: (status: string, sentAt: number) => void };

/** One connection: sends the next request after the last answer is complete and its time has come, until none is left. */
async function talk(socket: Socket, next: () => Buffer | null, { due, onAnswer }: Hearing): Promise<void> {
  let sentAt = 0;
  let came = '';
  const ask = async () => {
    const at = await due();
    const request = at === null ? null : next();
    if (at === null || request === null) return void socket.end();
    sentAt = at;
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
    onAnswer(status, sentAt);
    void ask();
  });
  void ask();
  await once(socket, 'close');
}
