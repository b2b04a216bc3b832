import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { invariant } from '../../src/core/invariant.ts';

/** A browser as a program: how it opens an address, with a new profile. */
export type BrowserProgram = {
  readonly name: string;
  readonly path: string;
  readonly args: (start: { readonly profile: string; readonly url: string }) => readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Firefox reads these from user.js; the others use arguments. */
  readonly preferences?: string;
};

/**
 * Starts a browser that its own pages control: each page polls this server for its next command. This needs no browser-specific protocol,
 * so any browser works; and no debugger is attached, which matters because Chromium does not prerender with one.
 */
export type Steered = {
  /** The script that a page must include to be controlled. */
  readonly wheel: string;
  readonly open: (program: BrowserProgram, url: string) => Promise<void>;
  /** The value of an expression in the current page, or in the next one. Promises are awaited. */
  readonly run: (expression: string) => Promise<unknown>;
  /** Runs an expression that makes the browser leave the page. The next `run` applies to the next page. */
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
  invariant(typeof address === 'object' && address !== null, 'the server listens on a port');
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
    // A page that is gone receives no commands.
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

// The last command of a page is acknowledged before it runs, because leaving cancels every pending request. A page from the back-forward
// cache continues; a prerendered one sends nothing until it is shown, and one in a frame never does.
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
  // A separate process group, because browsers are many processes and their launchers often shell scripts.
  const child = spawn(path, args({ profile, url }), { env: { ...process.env, ...env }, stdio: 'ignore', detached: true });
  const ended = once(child, 'exit').catch(() => undefined);
  return async () => {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL');
    await ended;
    await rm(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  };
}
