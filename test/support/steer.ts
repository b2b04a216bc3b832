import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { must } from '../../src/platform/must.ts';

/** A browser as a program: how it shows an address, with a profile of its own that is new. */
export type BrowserProgram = {
  readonly name: string;
  readonly path: string;
  readonly args: (start: { readonly profile: string; readonly url: string }) => readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** What Firefox reads as user.js; the others have arguments for it. */
  readonly preferences?: string;
};

/**
 * A browser that is only started, and then steered by its own pages: each asks here what to do next. No maker's protocol is needed,
 * so any browser can be tried; and no debugger is attached, which matters, because under one Chromium does not prerender.
 */
export type Steered = {
  /** The script that a page must carry to be steered. */
  readonly wheel: string;
  readonly open: (program: BrowserProgram, url: string) => Promise<void>;
  /** What an expression gives in the page that is shown, or will be in a moment. A promise is waited for. */
  readonly run: (expression: string) => Promise<unknown>;
  /** Runs an expression that makes the browser leave the page. The next `run` is for the page that comes. */
  readonly leave: (expression: string) => Promise<void>;
  readonly close: () => Promise<void>;
};

type Order = { readonly expression: string; readonly isLast: boolean };
type Give = (order: Order) => void;

const answerMsMax = 60_000;

export async function steer(): Promise<Steered> {
  let waiting: Give | undefined;
  let onWaiting: (give: Give) => void = () => undefined;
  let onAnswer: (value: unknown) => void = () => undefined;
  const server = createServer((request, response) => void take(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  must(typeof address === 'object' && address !== null, 'a listening server has a port');
  const stops: (() => Promise<void>)[] = [];

  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.setHeader('access-control-allow-origin', '*');
    if (request.method === 'POST') {
      const value: unknown = JSON.parse(await text(request));
      response.end();
      onAnswer(value);
      return;
    }
    const give: Give = (order) => void response.end(JSON.stringify(order));
    waiting = give;
    // A page that is gone takes no orders any more.
    response.on('close', () => (waiting = waiting === give ? undefined : waiting));
    onWaiting(give);
  }

  async function tell(order: Order): Promise<unknown> {
    const give = waiting ?? (await inTime(new Promise<Give>((resolve) => (onWaiting = resolve)), order));
    waiting = undefined;
    const answered = new Promise((resolve) => (onAnswer = resolve));
    give(order);
    return await inTime(answered, order);
  }

  return {
    wheel: `<script>(${wheel})('http://127.0.0.1:${address.port}');</script>`,
    open: async (program, url) => void stops.push(await start(program, url)),
    run: (expression) => tell({ expression, isLast: false }),
    leave: async (expression) => void (await tell({ expression, isLast: true })),
    close: async () => {
      for (const stop of stops) await stop();
      server.close().closeAllConnections();
    },
  };
}

// The last order of a page is answered before it is obeyed: leaving ends every request that is under way. A page out of the
// back-forward cache goes on where it was; a prerendered one has nothing to say until it is shown, and one in a frame never has.
const wheel = `async function (origin) {
  if (window !== top) return;
  const answer = (value) => fetch(origin, { method: 'POST', body: JSON.stringify(value === undefined ? null : value) });
  const obey = async () => {
    for (;;) {
      const { expression, isLast } = await (await fetch(origin)).json();
      if (isLast) return answer(null).then(() => (0, eval)(expression));
      let value;
      try { value = await (0, eval)(expression); } catch (error) { value = 'threw ' + error; }
      await answer(value);
    }
  };
  addEventListener('pageshow', (event) => event.persisted && obey());
  if (document.prerendering) await new Promise((shown) => document.addEventListener('prerenderingchange', shown, { once: true }));
  obey();
}`;

async function inTime<Value>(promise: Promise<Value>, { expression }: Order): Promise<Value> {
  const late = pause(answerMsMax, undefined, { ref: false }).then(() =>
    Promise.reject(new Error(`no page took or answered in time: ${expression}`)),
  );
  return await Promise.race([promise, late]);
}

async function start({ path, args, env, preferences }: BrowserProgram, url: string): Promise<() => Promise<void>> {
  const profile = await mkdtemp(join(tmpdir(), 'browser-'));
  if (preferences !== undefined) await writeFile(join(profile, 'user.js'), preferences);
  // A group of its own, because browsers are many processes and their launchers often shell scripts.
  const child = spawn(path, args({ profile, url }), { env: { ...process.env, ...env }, stdio: 'ignore', detached: true });
  const ended = once(child, 'exit').catch(() => undefined);
  return async () => {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL');
    await ended;
    await rm(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  };
}
