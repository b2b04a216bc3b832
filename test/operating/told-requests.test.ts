import { Writable } from 'node:stream';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hearFaults, Late } from '../../src/platform/faults.ts';
import { createServer } from '../../src/platform/http/server.ts';
import { tellRequests } from '../../src/platform/http/tell-requests.ts';
import { createMetrics } from '../../src/platform/metrics.ts';

/** What the log says of requests: which, by their id, and nothing of what they said. */
type Line = Readonly<Record<string, unknown>>;
const lines: Line[] = [];
const log = pino(
  { level: 'debug', base: null },
  new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(JSON.parse(chunk.toString('utf8')) as Line);
      done();
    },
  }),
);
const metrics = createMetrics();
const app = createServer({
  trustedProxies: ['127.0.0.1'],
  dialects: [],
  isTemporary: () => false,
  onFault: hearFaults({ log, metrics }, 'a request failed'),
});
let url = '';
beforeAll(async () => {
  tellRequests(app, log);
  app.get('/links/:token', async () => ({ ok: true }));
  app.get('/broken/:token', async () => {
    throw new Error('a mistake of ours');
  });
  url = await app.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(() => app.close());

const trace = '0af7651916cd43dd8448eb211c80319c';
const headers = { 'request-id': 'from-the-proxy-1', traceparent: `00-${trace}-b7ad6b7169203331-01`, cookie: 'a=private' };
const ask = (path: string) => fetch(url + path, { headers });
const toldOf = async (path: string, msg: string): Promise<Line> => {
  lines.length = 0;
  const answer = await ask(path);
  expect(answer.headers.get('request-id')).toBe('from-the-proxy-1');
  await expect.poll(() => lines.some((line) => line['msg'] === msg)).toBe(true);
  expect(JSON.stringify(lines)).not.toContain('private');
  return lines.find((line) => line['msg'] === msg) ?? {};
};

test('at the level debug each request has a line with its id, trace, route and status, and nothing of its address', async () => {
  expect(await toldOf('/links/private-token', 'answered')).toMatchObject({
    requestId: 'from-the-proxy-1',
    trace,
    method: 'GET',
    route: '/links/:token',
    status: 200,
  });
});

test('a request that failed has a line with the id that its sender was given, and is counted', async () => {
  const line = await toldOf('/broken/private-token', 'a request failed');
  expect(line).toMatchObject({ requestId: 'from-the-proxy-1', trace, method: 'GET', route: '/broken/:token' });
  expect(String(line['error'])).toContain('a mistake of ours');
  expect(await metrics.registry.metrics()).toContain('tributary_request_faults_total{kind="ours"} 1');
});

test('each kind of fault is counted from 0 on, so that an alert sees the first one grow', async () => {
  const fresh = createMetrics();
  hearFaults({ log, metrics: fresh }, 'a request failed');
  const text = await fresh.registry.metrics();
  for (const kind of ['late', 'database_away', 'ours']) expect(text).toContain(`tributary_request_faults_total{kind="${kind}"} 0`);
});

test('what was late and what the database did are counted apart from what somebody must mend', async () => {
  const hear = hearFaults({ log, metrics }, 'a postback failed');
  hear(new Late('no answer within 4500 ms'), {});
  hear(Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }), {});
  const text = await metrics.registry.metrics();
  for (const kind of ['late', 'database_away', 'ours']) expect(text).toContain(`tributary_request_faults_total{kind="${kind}"} 1`);
});

test('at the usual level there is no line for what went well', async () => {
  lines.length = 0;
  const quiet = log.child({}, { level: 'info' });
  const other = createServer({ trustedProxies: [], dialects: [], isTemporary: () => false, onFault: () => {} });
  tellRequests(other, quiet);
  let answered = 0;
  // After the one that tells, so that whatever it had to say was said.
  other.addHook('onResponse', async () => void (answered += 1));
  other.get('/', async () => ({ ok: true }));
  expect((await other.inject('/')).statusCode).toBe(200);
  await expect.poll(() => answered).toBe(1);
  quiet.info('the end');
  expect(lines).toMatchObject([{ msg: 'the end' }]);
});
