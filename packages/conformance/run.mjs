#!/usr/bin/env node
/*
 * Runs the conformance vectors against a client: tributary-conformance [--sandbox <file>] -- <command that starts an adapter>.
 * The adapter reads one call as JSON per line of stdin and writes one result as JSON per line of stdout (README.md). Exits with 1 if a
 * vector fails. Works without dependencies on Node 20 and later.
 */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { createInterface } from 'node:readline';

const answerMsMax = 30_000;
const keys = { tracking_key: 'trk_conformance', postback_key: 'pbk_conformance-sample' };
const base = `/api/partner-network/postbacks/${keys.tracking_key}/`;

const { values, positionals } = parseArgs({
  options: { sandbox: { type: 'string' }, 'skip-values': { type: 'boolean', default: false } },
  allowPositionals: true,
});
if (positionals.length === 0) {
  process.stderr.write('Usage: tributary-conformance [--sandbox world.json] [--skip-values] -- <command of the adapter>\n');
  process.exit(2);
}

const vectors = (name) => JSON.parse(readFileSync(new URL(`vectors/${name}.json`, import.meta.url), 'utf8'));
const adapter = startAdapter(positionals);
const failures = [];
let passed = 0;
await run();

async function run() {
  try {
    for (const vector of vectors('requests')) await check(`request: ${vector.name}`, () => checkRequest(vector));
    for (const vector of vectors('answers')) await check(`answer: ${vector.name}`, () => checkAnswers(vector));
    if (!values['skip-values']) await checkValues();
    if (values.sandbox !== undefined) await check('sandbox', () => checkSandbox(JSON.parse(readFileSync(values.sandbox, 'utf8'))));
  } finally {
    adapter.stop();
  }
  for (const failure of failures) process.stdout.write(`FAILED ${failure}\n`);
  process.stdout.write(`${passed} passed, ${failures.length} failed\n`);
  process.exitCode = failures.length === 0 ? 0 : 1;
}

async function check(title, verify) {
  try {
    await verify();
    passed += 1;
  } catch (error) {
    failures.push(`${title}: ${error.message}`);
  }
}

/** Sends an accepted answer, and compares the request with the vector. */
async function checkRequest({ operation, fields, request, result }) {
  const answers = [{ status: 200, json: { ok: true, reason: 'recorded' } }];
  const { came, received } = await play(answers, { operation, fields });
  if (request === undefined) {
    if (received.length > 0) throw new Error('the report was sent');
    return expectMatch(came, result);
  }
  if (received.length !== 1) throw new Error(`${received.length} requests were sent, and the result was ${JSON.stringify(came)}`);
  const [{ method, path, headers, body }] = received;
  expectMatch({ method, path: path.replace(base, ''), body: JSON.parse(body) }, { method: 'POST', path: request.path, body: request.body });
  if (headers.authorization !== `Bearer ${keys.postback_key}`) throw new Error('the postback key is not in the Authorization header');
  if (!/^application\/json\b/i.test(headers['content-type'] ?? '')) throw new Error('the content type is not application/json');
}

/** Plays the answers one after another, then repeats the last one. */
async function checkAnswers({ operation, fields, answers, result, limits }) {
  const { came, received } = await play(answers, { operation, fields, limits });
  const { $pause_ms_min: pauseMsMin = 0, ...expected } = result;
  expectMatch(came, expected);
  if (received.length !== expected.attempts) throw new Error(`${received.length} requests were sent instead of ${expected.attempts}`);
  if (new Set(received.map(({ path, body }) => `${path} ${body}`)).size > 1) throw new Error('the attempts sent different bytes');
  const [first, second] = received;
  if (second && second.atMs - first.atMs < pauseMsMin) throw new Error(`the pause was shorter than ${pauseMsMin} ms`);
}

async function checkValues() {
  const { cents, cookies } = vectors('values');
  for (const { amount, cents: expected } of cents) {
    await check(`cents of ${JSON.stringify(amount)}`, async () =>
      expectMatch(await adapter.ask({ call: 'cents', amount }), { cents: expected }),
    );
  }
  for (const { header, click_id: expected } of cookies) {
    await check(`click in ${JSON.stringify(header)}`, async () =>
      expectMatch(await adapter.ask({ call: 'cookie', header }), { click_id: expected }),
    );
  }
}

/** Reports to a running sandbox. The file is the output of `npm run --silent seed -- --json`. */
async function checkSandbox(world) {
  const settings = { base_url: world.base_url, tracking_key: world.store.tracking_key, postback_key: world.store.postback_key };
  const clicks = [await clickOn(world.link.url), await clickOn(world.link.url)];
  const names = {
    click_1: clicks[0],
    click_2: clicks[1],
    suffix: `${Date.now().toString(36)}-${process.pid}`,
    now: new Date().toISOString(),
  };
  for (const { name, operation, fields, result } of vectors('sandbox')) {
    const filled = JSON.parse(JSON.stringify(fields).replace(/\{(\w+)\}/g, (_whole, key) => names[key]));
    await check(`sandbox: ${name}`, async () => expectMatch(await adapter.ask({ ...settings, operation, fields: filled }), result));
  }
}

/** Visits a referral link as a browser does, and returns the click ID of the redirect. */
async function clickOn(link) {
  const headers = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', accept: 'text/html' };
  const response = await fetch(link, { headers, redirect: 'manual' });
  const location = response.headers.get('location');
  const clickId = location === null ? null : new URL(location).searchParams.get('rm_click');
  if (clickId === null) throw new Error(`the referral link ${link} answered ${response.status} without a click ID`);
  return clickId;
}

async function play(answers, call) {
  const server = await scriptedServer(answers);
  try {
    const limits = { attempts_max: 5, timeout_ms: 5_000, deadline_ms: 20_000, first_pause_ms: 5, ...call.limits };
    const came = await adapter.ask({ ...keys, base_url: server.url, operation: call.operation, fields: call.fields, limits });
    return { came, received: server.received };
  } finally {
    server.close();
  }
}

async function scriptedServer(answers) {
  const received = [];
  const server = createServer((request, response) => {
    const chunks = [];
    request.on('error', () => undefined);
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const { method, url, headers } = request;
      received.push({ method, path: url, headers, body: Buffer.concat(chunks).toString('utf8'), atMs: performance.now() });
      answer(answers[Math.min(received.length, answers.length) - 1], response);
    });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${server.address().port}`, received, close };
}

function answer(step, response) {
  if (step === 'silence') return;
  if (step === 'reset') return void response.socket.resetAndDestroy();
  if (step === 'truncated' || step === 'drip') {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '500' });
    response.write('{"ok":true,"reason":"rec');
    if (step === 'truncated') return void setTimeout(() => response.socket?.destroy(), 20);
    const timer = setInterval(() => response.write(' '), 50);
    return void response.on('close', () => clearInterval(timer));
  }
  const { status, json, text, headers } = step;
  response.writeHead(status, { 'content-type': json === undefined ? 'text/html' : 'application/json', ...headers });
  response.end(text ?? JSON.stringify(json));
}

function startAdapter([command, ...words]) {
  const child = spawn(command, words, { stdio: ['pipe', 'pipe', 'inherit'] });
  const waiting = [];
  const end = (why) => waiting.splice(0).forEach(({ reject }) => reject(new Error(why)));
  child.on('error', (error) => end(`the adapter could not be started: ${error.message}`));
  child.on('exit', (code) => end(`the adapter ended with ${code}`));
  child.stdin.on('error', () => undefined);
  createInterface({ input: child.stdout }).on('line', (line) => {
    const { resolve, reject } = waiting.shift() ?? {};
    try {
      resolve?.(JSON.parse(line));
    } catch {
      reject?.(new Error(`the adapter wrote a line that is not JSON: ${line.slice(0, 200)}`));
    }
  });
  const ask = (call) =>
    new Promise((resolve, reject) => {
      if (child.exitCode !== null) return void reject(new Error('the adapter has ended'));
      const timer = setTimeout(() => reject(new Error('the adapter did not answer in 30 seconds')), answerMsMax);
      const settle = (finish) => (value) => {
        clearTimeout(timer);
        finish(value);
      };
      waiting.push({ resolve: settle(resolve), reject: settle(reject) });
      child.stdin.write(`${JSON.stringify({ call: 'report', ...call })}\n`);
    });
  return { ask, stop: () => child.stdin.end() };
}

/** Every member of `expected` must be equal in `came`; `{ "$match": … }` is a regular expression for a text. */
function expectMatch(came, expected) {
  for (const [name, value] of Object.entries(expected)) {
    const isEqual = name === 'body' ? isSameBody(came[name], value) : isDeepStrictEqual(came[name] ?? null, value);
    if (!isEqual) throw new Error(`${name} is ${JSON.stringify(came[name])} instead of ${JSON.stringify(value)}`);
  }
}

function isSameBody(came, expected) {
  const names = new Set([...Object.keys(came), ...Object.keys(expected)]);
  return [...names].every((name) => {
    const pattern = expected[name]?.$match;
    return pattern === undefined ? isDeepStrictEqual(came[name], expected[name]) : new RegExp(pattern).test(String(came[name]));
  });
}
