import { once } from 'node:events';
import { connect } from 'node:net';
import { readJob } from './child.ts';
import { requestsOf, type Load } from './requests.ts';

/**
 * The client side in a separate process: a fixed number of connections, each with one request in progress. It parses just enough HTTP to
 * find the end of an answer, because it shares the CPU with the server.
 */
export type Loaded = {
  readonly answers: Readonly<Record<string, number>>;
  readonly seconds: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
};

const lastAnswersMsMax = 8_000;

process.stdout.write(`${JSON.stringify(await run(await readJob<Load>()))}\n`);
process.exit(0);

async function run(load: Load): Promise<Loaded> {
  const { port, connections, seconds, requests } = load;
  const ready = requestsOf(load);
  let place = 0;
  const next = () => ready[requests.are === 'visits' ? 0 : place++] ?? null;
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

/** One connection: sends the next request after the last answer is complete, until none is left. */
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
