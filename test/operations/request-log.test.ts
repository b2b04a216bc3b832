import { Writable } from 'node:stream';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { reportErrors, Late } from '../../src/runtime/report-error.ts';
import { createServer } from '../../src/http/server.ts';
import { logRequests } from '../../src/http/request-log.ts';
import { createMetrics } from '../../src/metrics/metrics.ts';

/** The log identifies requests by ID, and contains nothing of their content. */
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
  problemFormats: [],
  isTemporary: () => false,
  onError: reportErrors({ log, metrics }, 'a request failed'),
});
let url = '';
beforeAll(async () => {
  logRequests(app, log);
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
const loggedLine = async (path: string, msg: string): Promise<Line> => {
  lines.length = 0;
  const answer = await ask(path);
  expect(answer.headers.get('request-id')).toBe('from-the-proxy-1');
  await expect.poll(() => lines.some((line) => line['msg'] === msg)).toBe(true);
  expect(JSON.stringify(lines)).not.toContain('private');
  return lines.find((line) => line['msg'] === msg) ?? {};
};

test('at level debug each request has a line with its ID, trace, route and status, and nothing of its address', async () => {
  expect(await loggedLine('/links/private-token', 'answered')).toMatchObject({
    requestId: 'from-the-proxy-1',
    trace,
    method: 'GET',
    route: '/links/:token',
    status: 200,
  });
});

test('a failed request has a line with the ID that its sender received, and is counted', async () => {
  const line = await loggedLine('/broken/private-token', 'a request failed');
  expect(line).toMatchObject({ requestId: 'from-the-proxy-1', trace, method: 'GET', route: '/broken/:token' });
  expect(String(line['error'])).toContain('a mistake of ours');
  expect(await metrics.registry.metrics()).toContain('tributary_request_faults_total{kind="ours"} 1');
});

test('counts each kind of error from 0, so that an alert sees the first increase', async () => {
  const fresh = createMetrics();
  reportErrors({ log, metrics: fresh }, 'a request failed');
  const text = await fresh.registry.metrics();
  for (const kind of ['late', 'database_away', 'ours']) expect(text).toContain(`tributary_request_faults_total{kind="${kind}"} 0`);
});

test('counts late responses and database errors apart from bugs', async () => {
  const hear = reportErrors({ log, metrics }, 'a postback failed');
  hear(new Late('no answer within 4500 ms'), {});
  hear(Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }), {});
  const text = await metrics.registry.metrics();
  for (const kind of ['late', 'database_away', 'ours']) expect(text).toContain(`tributary_request_faults_total{kind="${kind}"} 1`);
});

test('logs no line for a successful request at the default level', async () => {
  lines.length = 0;
  const quiet = log.child({}, { level: 'info' });
  const other = createServer({ trustedProxies: [], problemFormats: [], isTemporary: () => false, onError: () => {} });
  logRequests(other, quiet);
  let answered = 0;
  // After the request that logs, so that all its lines are written.
  other.addHook('onResponse', async () => void (answered += 1));
  other.get('/', async () => ({ ok: true }));
  expect((await other.inject('/')).statusCode).toBe(200);
  await expect.poll(() => answered).toBe(1);
  quiet.info('the end');
  expect(lines).toMatchObject([{ msg: 'the end' }]);
});
