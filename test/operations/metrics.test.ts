import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { afterAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { enqueue } from '../../src/queue/enqueue-sql.ts';
import { dayMs } from '../../src/core/time.ts';
import { sql } from '../../src/db/sql.ts';
import { merchantBehindProxy } from '../support/behind-proxy.ts';
import { anotherBiller } from '../support/billing.ts';
import { readExposition, readExpression, type Sample } from '../support/metrics-exposition.ts';
import { visitLink } from '../support/merchant.ts';
import { within } from '../support/size.ts';
import { subscriberOf } from '../support/subscriber.ts';

/** What /metrics exposes, and whether the dashboard and the alerts use only metrics that exist. */
const { proxy, merchant, close } = await merchantBehindProxy({ DATA_DIR: tmpdir() });
// So that the scheduled jobs ran, and verified.
await merchant.moveClock('1d');
afterAll(() => close());

const ask = (path = '/metrics', key = merchant.world.operator_key) =>
  fetch(merchant.service.url + path, { headers: { authorization: `Bearer ${key}` } });
const readSamples = async (): Promise<readonly Sample[]> => readExposition(await (await ask()).text());

/** The value with these labels, or with these and a bucket limit; null if there is none. */
async function valueOf(name: string, labels: Readonly<Record<string, string>> = {}): Promise<number | null> {
  const found = (await readSamples()).filter((each) => each.name === `tributary_${name}`);
  const [one, ...more] = found.filter((each) => Object.entries(labels).every(([label, word]) => each.labels[label] === word));
  expect(more).toEqual([]);
  return one?.value ?? null;
}

test('counts a postback by operation, status and reason, and measures its duration', async () => {
  const order = await merchant.order();
  expect((await merchant.convert(order)).status).toBe(200);
  expect((await merchant.convert({ ...order, order_subtotal_cents: 1 })).status).toBe(409);
  expect((await merchant.convert({ order_id: 'without a click' })).status).toBe(400);
  const conversion = { operation: 'conversion' };
  expect(await valueOf('postbacks_total', { ...conversion, status: '200', reason: 'recorded' })).toBe(1);
  expect(await valueOf('postbacks_total', { ...conversion, status: '409', reason: 'duplicate_order_conflict' })).toBe(1);
  expect(await valueOf('postbacks_total', { ...conversion, status: '400', reason: 'invalid_payload' })).toBe(1);
  expect(await valueOf('postback_duration_seconds_count', { ...conversion, status: '200' })).toBe(1);
  const { bind } = subscriberOf(merchant);
  await bind();
  expect(await valueOf('postbacks_total', { operation: 'relationship', status: '200', reason: 'recorded' })).toBe(1);
});

test('counts a visit by its outcome', async () => {
  const before = (await valueOf('redirect_duration_seconds_count', { ended: 'committed' })) ?? 0;
  const { url } = merchant.service;
  await visitLink(url, merchant.world.link.code);
  await fetch(`${url}/r/${merchant.world.link.code}`, { method: 'HEAD', redirect: 'manual' });
  await fetch(`${url}/r/nobodysLink`, { redirect: 'manual' });
  expect(await valueOf('redirect_duration_seconds_count', { ended: 'committed' })).toBe(before + 1);
  expect(await valueOf('redirect_duration_seconds_count', { ended: 'head' })).toBe(1);
  expect(await valueOf('redirect_duration_seconds_count', { ended: 'unknown_link' })).toBe(1);
});

test('exposes batch size, waiting items and duration of batches, and the connections and waiting requests of the pools', async () => {
  for (const batch of ['clicks', 'orders', 'subscriptions', 'gate_lines']) {
    expect(await valueOf('batch_size_count', { batch }), batch).toBeGreaterThan(0);
    expect(await valueOf('batch_duration_seconds_sum', { batch })).toBeGreaterThan(0);
    expect(await valueOf('batch_waiting', { batch })).toBe(0);
    expect(await valueOf('batch_under_way', { batch })).toBe(0);
  }
  for (const pool of ['web', 'night']) {
    expect(await valueOf('database_connections', { pool, state: 'waiting' })).toBe(0);
    expect(await valueOf('database_connections_max', { pool })).toBeGreaterThan(0);
  }
  const inUse = () => valueOf('database_connections', { pool: 'night', state: 'in_use' });
  expect(await inUse()).toBe(0);
  await merchant.service.platform.jobsDatabase.transaction(async () => expect(await inUse()).toBe(1));
});

test('exposes a charge with an unknown outcome and its amount until the outcome is known', async () => {
  const unknown = { state: 'unknown' };
  expect(await valueOf('charges_in_flight', unknown)).toBe(0);
  expect(await valueOf('payouts_in_flight', unknown)).toBe(0);
  const biller = await anotherBiller(merchant);
  await biller.setPaymentMethod('timeout_then_ok');
  await biller.billable(3_000);
  await biller.run();
  expect(await valueOf('charges_in_flight', unknown)).toBe(1);
  expect(await valueOf('charges_in_flight_cents', unknown)).toBe(3_000);
  await biller.merchant.moveClock('7h');
  expect(await valueOf('charges_in_flight', unknown)).toBe(0);
});

test('exposes a late job, a failed job, and abandoned tasks', async () => {
  const task = 'update daily totals';
  expect(await valueOf('night_job_overdue_seconds', { task })).toBe(0);
  expect(await valueOf('night_job_failures', { task })).toBe(0);
  const { ranUpTo } = await merchant.database.one<{ ranUpTo: Date }>(sql`select ran_up_to from job_runs where job = ${task}`);
  const late = new Date(ranUpTo.getTime() - 2 * dayMs);
  await merchant.database.run(sql`update job_runs set failures = 2, ran_up_to = ${late} where job = ${task}`);
  expect(await valueOf('night_job_overdue_seconds', { task })).toBeGreaterThan(86_400);
  expect(await valueOf('night_job_failures', { task })).toBe(2);
  await merchant.database.run(sql`update job_runs set failures = 0, ran_up_to = ${ranUpTo} where job = ${task}`);
  const givenUp = () => valueOf('queue_jobs', { state: 'given_up' });
  expect(await givenUp()).toBe(0);
  await enqueue(merchant.database, 'nobody_does_this', {}, { key: 'given up' });
  await merchant.database.run(sql`update graphile_worker._private_jobs set attempts = max_attempts where key = 'given up'`);
  expect(await givenUp()).toBe(1);
  await merchant.database.run(sql`delete from graphile_worker._private_jobs where key = 'given up'`);
  expect(await givenUp()).toBe(0);
  expect(await valueOf('job_duration_seconds_count', { task: 'send_mails', ended: 'done' })).toBeGreaterThan(0);
  expect(await valueOf('last_verification_differences')).toBe(0);
});

test('exposes no store, creator, person or key', async () => {
  await merchant.post('/made-up', {});
  const text = await (await ask()).text();
  const { store, other_store: other, link, operator_key: key, logins } = merchant.world;
  const theirs = [store.id, store.tracking_key, store.postback_key, other.id, link.code, key, logins.merchant.email];
  expect(theirs.filter((sample) => text.includes(sample))).toEqual([]);
  // The number of series is bounded by our own label values, whatever clients send.
  for (let count = 0; count < 5; count += 1) await merchant.post(`/made-up-${count}`, {}, { authorization: `Bearer ${count}` });
  // Excludes the handles that Node has open, and jobs that ran in between.
  const ofRequests = (all: readonly Sample[]) => all.filter(({ name, labels }) => !name.includes('_nodejs_') && !('task' in labels));
  const after = ofRequests(await readSamples());
  expect(after.length).toBeGreaterThan(100);
  expect(ofRequests(readExposition(text)).length).toBe(after.length);
});

type Rules = { readonly groups: ReadonlyArray<{ readonly rules: readonly Rule[] }> };
type Rule = { readonly alert: string; readonly expr: string; readonly annotations: { readonly summary: string; readonly runbook: string } };
type Panels = { readonly panels: ReadonlyArray<{ readonly title: string; readonly targets?: readonly Target[] }> };
type Target = { readonly expr: string; readonly legendFormat?: string };

const rules = (parse(readFileSync('ops/prometheus-alerts.yml', 'utf8')) as Rules).groups.flatMap((group) => group.rules);
const targets = (JSON.parse(readFileSync('ops/grafana-dashboard.json', 'utf8')) as Panels).panels.flatMap((panel) =>
  (panel.targets ?? []).map((target) => ({ title: panel.title, ...target })),
);
const shownIn = (text: string): readonly string[] =>
  [...text.matchAll(/\{\{\s*(?:\$labels\.)?(\w+)\s*\}\}/g)].map(([, label = '']) => label);
const expressions = [
  ...rules.map(({ alert, expr, annotations }) => ({ where: alert, expr, shown: shownIn(annotations.summary) })),
  ...targets.map(({ title, expr, legendFormat = '' }) => ({ where: title, expr, shown: shownIn(legendFormat) })),
];

/** Prometheus adds the first two; the third is present if several processes share a machine. */
const added = ['job', 'instance', 'process'];
/** Exposed by the supervisor only, so not here; test/processes/restart.test.ts reads it. */
const ofSeveral = ['tributary_process_up'];

test('every metric and label that the dashboard and the alerts use is exposed by the service', async () => {
  const sample = await scrape();
  for (const { where, expr, shown } of expressions) {
    const { selectors, labels } = readExpression(expr);
    expect(selectors.length + (expr.includes('up{') ? 1 : 0), where).toBeGreaterThan(0);
    const known = new Set(added);
    for (const { metric, matchers } of selectors) {
      if (!ofSeveral.includes(metric)) expect([...sample.keys()], where).toContain(metric);
      for (const label of sample.get(metric)?.labels ?? []) known.add(label);
      expect([...known], where).toEqual(expect.arrayContaining(matchers.map(({ label }) => label)));
      matchers.filter(({ sign }) => sign === '=').forEach(({ label, value }) => expectWord(sample.get(metric), label, value));
    }
    expect([...known, 'le'], where).toEqual(expect.arrayContaining([...labels, ...shown]));
  }
});

test('every metric of the service is on the dashboard, except the metrics of Node itself', async () => {
  const shown = new Set(
    targets.flatMap(({ expr }) => readExpression(expr).selectors.map(({ metric }) => metric.replace(/_(bucket|count|sum)$/, ''))),
  );
  const names = [...(await scrape()).keys()].filter((name) => !/^tributary_(nodejs|process)_/.test(name));
  expect(names.filter((name) => !shown.has(name.replace(/_(bucket|count|sum)$/, '')))).toEqual([]);
});

test('every metric that docs/operate.md names is exposed by the service', async () => {
  const page = readFileSync('docs/operate.md', 'utf8');
  const table = /^\| question \| metrics[\s\S]*?\n\n/m.exec(page)?.[0] ?? '';
  const inTable = [...table.matchAll(/`([a-z]+_\w+)`/g)].map(([, name = '']) => `tributary_${name}`);
  expect(inTable.length).toBeGreaterThan(20);
  const named = [...inTable, ...[...page.matchAll(/\btributary_\w+/g)].map(([name]) => name)];
  const names = new Set([...(await scrape()).keys(), ...ofSeveral].map((name) => name.replace(/_(bucket|count|sum)$/, '')));
  expect(named.filter((name) => !names.has(name))).toEqual([]);
});

test('every alert says what it means, and links to a heading of docs/operate.md', () => {
  const headings = [...readFileSync('docs/operate.md', 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\w -]/g, '')
      .replaceAll(' ', '-'),
  );
  for (const { annotations } of rules) {
    expect(annotations.summary.length).toBeGreaterThan(20);
    const [page, heading] = annotations.runbook.split('#');
    expect(page).toBe('docs/operate.md');
    expect(headings).toContain(heading);
  }
});

test.each([
  ['unreachable', () => proxy.refuse()],
  ['frozen', () => proxy.freeze()],
] as const)('while the database is %s, the readers of metrics can still read them, and nothing else', async (_how, fail) => {
  expect(await valueOf('database_up')).toBe(1);
  await fail();
  try {
    const since = performance.now();
    const answer = await ask();
    expect(performance.now() - since).toBeLessThan(within(10_000));
    expect(answer.status).toBe(200);
    const sample = readExposition(await answer.text());
    expect(sample.find(({ name }) => name === 'tributary_database_up')?.value).toBe(0);
    expect(sample.some(({ name }) => name === 'tributary_postbacks_total')).toBe(true);
    expect((await ask('/api/v1/overview')).status).toBe(503);
    expect((await ask('/metrics', `${merchant.world.operator_key}x`)).status).not.toBe(200);
    expect((await fetch(`${merchant.service.url}/metrics`)).status).toBe(401);
  } finally {
    await proxy.pass();
  }
  await expect.poll(() => valueOf('database_up')).toBe(1);
  expect(await valueOf('request_faults_total', { kind: 'database_away' })).toBeGreaterThan(0);
});

type Scraped = { readonly labels: readonly string[]; readonly samples: readonly Sample[] };

/** By name: the labels of each metric, even if it has counted nothing yet, and its values. */
async function scrape(): Promise<ReadonlyMap<string, Scraped>> {
  const samples = await readSamples();
  const sample = new Map<string, Scraped>();
  for (const { name } of samples) {
    const own = samples.filter((each) => each.name === name);
    sample.set(name, { labels: [...new Set(own.flatMap(({ labels }) => Object.keys(labels)))], samples: own });
  }
  for (const metric of merchant.service.platform.metrics.registry.getMetricsAsArray()) {
    const { name, type } = metric as unknown as { name: string; type: string };
    const { labelNames } = merchant.service.platform.metrics.registry.getSingleMetric(name) as unknown as { labelNames: readonly string[] };
    const names = type === 'histogram' ? ['_bucket', '_sum', '_count'].map((end) => name + end) : [name];
    for (const each of names) if (!sample.has(each)) sample.set(each, { labels: labelNames, samples: [] });
  }
  return sample;
}

/** A state gauge exposes every state, so a missing one is a typing error. */
function expectWord(sample: Scraped | undefined, label: string, word: string): void {
  const isOfStates = label === 'state' || label === 'pool';
  if (isOfStates) expect(sample?.samples.map(({ labels }) => labels[label])).toContain(word);
}
