import { afterAll, expect, test } from 'vitest';
import { roles } from '../../src/people/permissions.ts';
import { sql } from '../../src/db/sql.ts';
import { anotherBiller, differences, expectSuccess, type Biller } from '../support/billing.ts';
import { openMerchantAlone, otherMerchant, type Json } from '../support/merchant.ts';
import { textOfPdf } from '../support/pdf-text.ts';
import { clientWithKey } from '../support/portal.ts';

const merchant = await openMerchantAlone();
afterAll(() => merchant.service.stop());

const fresh = (): Promise<Biller> => anotherBiller(merchant);

const raw = ({ merchant: { service, world } }: Biller, path: string, headers: Readonly<Record<string, string>> = {}) =>
  fetch(`${service.url}/api/v1${path}`, { headers: { authorization: `Bearer ${world.operator_key}`, ...headers } });

test('returns the lines of an invoice in pages, and all of them as CSV', async () => {
  const biller = await fresh();
  await biller.billable(1_500, 2_500, 3_500);
  const [{ id }] = (await biller.run()) as [{ id: string }];
  const path = `${biller.store}/invoices/${id}`;
  const first = (await biller.merchant.api('GET', `${path}?limit=2`)).json;
  expect(first).toMatchObject({
    number: 'INV-00001',
    state: 'paid',
    lines_count: 3,
    lines_cents: 7_500,
    fee_cents: 0,
    credit_cents: 0,
    total_cents: 7_500,
    due_cents: 0,
    credited_cents: 0,
    charges: [{ state: 'succeeded', amount_cents: 7_500 }],
  });
  const second = (await biller.merchant.api('GET', `${path}?limit=2&cursor=${first.next_cursor}`)).json;
  expect([...first.lines, ...second.lines].map(({ amount_cents: cents }) => cents).toSorted()).toEqual([1_500, 2_500, 3_500]);
  expect([first.lines.length, second.next_cursor, first.lines[0].creator_name]).toEqual([2, null, 'Cora Creator']);

  const csv = await raw(biller, path, { accept: 'text/csv' });
  expect(csv.headers.get('content-disposition')).toContain('INV-00001.csv');
  const lines = (await csv.text()).trim().split('\r\n');
  expect(lines[0]).toBe(
    'commission_id,order_id,invoice_id,occurred_at,creator_id,creator_name,eligible_cents,amount_cents,state,credit_note,lead_id,bonus_reason',
  );
  expect(
    lines
      .slice(1)
      .map((line) => line.split(',')[7])
      .toSorted(),
  ).toEqual(['1500', '2500', '3500']);
  for (const list of [path, `${biller.store}/billing/lines`])
    expect((await raw(biller, `${list}?limit=2`, { accept: 'text/csv' })).status).toBe(400);
});

test('returns an invoice as a one-page PDF that names the payer and the payee', async () => {
  const biller = await fresh();
  expectSuccess(await merchant.api('PUT', '/billing-settings', { fee_basis_points: 250 }));
  await biller.billable(1_500, 2_555);
  const [{ id }] = (await biller.run()) as [{ id: string }];
  expectSuccess(await merchant.api('PUT', '/billing-settings', { fee_basis_points: 0 }));
  const pdf = await raw(biller, `${biller.store}/invoices/${id}`, { accept: 'application/pdf' });
  expect([pdf.status, pdf.headers.get('content-type')]).toEqual([200, 'application/pdf']);
  const bytes = Buffer.from(await pdf.arrayBuffer());
  const text = bytes.toString('latin1');
  expect([text.slice(0, 5), text.match(/\/Type \/Page\b/g)?.length, text.trimEnd().slice(-5)]).toEqual(['%PDF-', 1, '%%EOF']);
  const shown = textOfPdf(bytes);
  const store = expectSuccess(await biller.merchant.api('GET', biller.store)).json;
  expect(shown).toContain(`Owed by\n${store.name}\nStore\n${store.site_url}\nOwed to\nTributary, for the creators below\n`);
  expect(shown).toMatch(/Issued\n[A-Z][a-z]+ \d{1,2}, \d{4}\n/);
  expect(shown).toContain('Days are in UTC.');
  expect(shown).toContain('Cora Creator\n2\n40.55');
  expect(shown).toContain('Total\n41.56');
});

test('a PDF requests a new payment method only once the store is past due, not while a charge is unfinished', async () => {
  const biller = await fresh();
  const textOf = async (id: string) => {
    const pdf = await raw(biller, `${biller.store}/invoices/${id}`, { accept: 'application/pdf' });
    return textOfPdf(Buffer.from(await pdf.arrayBuffer()));
  };
  await biller.setPaymentMethod('never');
  await biller.billable(2_000);
  const [{ id }] = (await biller.run()) as [{ id: string }];
  expect(await textOf(id)).toContain('not yet: the charge is in progress');
  await merchant.database.run(sql`update invoices set state = 'past_due' where store_id = ${biller.merchant.storeId}`);
  expect(await textOf(id)).toContain('after the payment method is updated');
});

test('answers the same for another store’s invoice as for one that does not exist', async () => {
  const biller = await fresh();
  await biller.billable(1_500);
  const [{ id }] = (await biller.run()) as [{ id: string }];
  const other = otherMerchant(biller.merchant);
  const [theirs, none] = [`/stores/${other.world.store.id}/invoices/${id}`, `${biller.store}/invoices/${id.slice(0, -6)}000000`];
  const answers = [await raw(biller, theirs), await raw(biller, none)];
  expect(answers.map(({ status }) => status)).toEqual([404, 404]);
  expect(await answers[0]?.text()).toBe(await answers[1]?.text());
});

test('lists invoices newest first, page by page', async () => {
  const biller = await fresh();
  for (const amount of [1_000, 2_000, 3_000]) {
    await biller.billable(amount);
    await biller.run();
  }
  const first = (await biller.merchant.api('GET', `${biller.store}/invoices?limit=2`)).json;
  const second = (await biller.merchant.api('GET', `${biller.store}/invoices?limit=2&cursor=${first.next_cursor}`)).json;
  expect([...first.data, ...second.data].map(({ number }) => number)).toEqual(['INV-00003', 'INV-00002', 'INV-00001']);
});

test('filters the list by state and issue date, and applies the filter to totals and CSV', async () => {
  const biller = await fresh();
  const { api } = biller.merchant;
  const list = `${biller.store}/invoices`;
  for (const amount of [1_000, 2_000]) {
    await biller.billable(amount);
    await biller.run();
  }
  await biller.setPaymentMethod('declined');
  await biller.billable(4_000);
  await biller.run();
  const [third, second, first] = await biller.invoices();
  const numbersOf = async (query: string) => (await api('GET', `${list}${query}`)).json.data.map(({ number }: Json) => number);
  const totalsOf = async (query: string) => (await api('GET', `${list}/totals${query}`)).json;
  const fileOf = async (query: string) => {
    const [, ...lines] = (await (await raw(biller, `${list}${query}`, { accept: 'text/csv' })).text()).trimEnd().split('\r\n');
    return lines.map((line) => line.split(',')[1]);
  };
  const cases: ReadonlyArray<readonly [query: string, shown: readonly Json[]]> = [
    ['', [third, second, first]],
    ['?state=paid', [second, first]],
    ['?state=retrying', [third]],
    ['?state=void', []],
    [`?from=${second.issued_at}`, [third, second]],
    [`?to=${second.issued_at}`, [first]],
    [`?state=paid&from=${second.issued_at}&to=${third.issued_at}`, [second]],
  ];
  for (const [query, shown] of cases) {
    const numbers = shown.map(({ number }) => number);
    expect(await numbersOf(query), query).toEqual(numbers);
    expect(await fileOf(query), query).toEqual(numbers);
    const cents = shown.reduce((sum, { total_cents: total }) => sum + total, 0);
    expect(await totalsOf(query), query).toMatchObject({ count: shown.length, total_cents: cents, lines_cents: cents, credit_cents: 0 });
  }
  const { next_cursor: cursor } = (await api('GET', `${list}?state=paid&limit=1`)).json;
  expect(await numbersOf(`?state=paid&limit=1&cursor=${cursor}`)).toEqual([first.number]);
  const titles = (await (await raw(biller, list, { accept: 'text/csv' })).text()).split('\r\n')[0];
  expect(titles).toBe(Object.keys(third).join(','));
  expect((await raw(biller, `${list}?limit=2`, { accept: 'text/csv' })).status).toBe(400);
  for (const [query, field] of [
    ['?from=yesterday', 'from'],
    ['?to=1', 'to'],
    ['?to=9999-12-31T23:59:59-05:00', 'to'],
    ['?state=gathering', 'state'],
  ] as const) {
    const answers = [await api('GET', `${list}${query}`), await api('GET', `${list}/totals${query}`)];
    for (const answer of answers) expect(answer).toMatchObject({ status: 400, json: { errors: [{ field }] } });
  }
});

test('does not repeat a run with the same Idempotency-Key, and returns the same answer then and later', async () => {
  const biller = await fresh();
  const { service, world } = biller.merchant;
  await biller.billable(4_000);
  const send = () =>
    fetch(`${service.url}/api/v1/billing-runs`, {
      method: 'POST',
      headers: { authorization: `Bearer ${world.operator_key}`, 'content-type': 'application/json', 'idempotency-key': world.store.id },
      body: JSON.stringify({ store_id: world.store.id }),
    });
  const answers = await Promise.all([send(), send(), send()]);
  const texts = await Promise.all(answers.map((answer) => answer.text()));
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
  await biller.billable(5_000);
  texts.push(await (await send()).text());
  expect(new Set(texts).size).toBe(1);
  const run = JSON.parse(texts[0] ?? '');
  expect(run.invoices).toMatchObject([{ total_cents: 4_000, state: 'paid' }]);
  expect((await biller.merchant.api('GET', `/billing-runs/${run.id}`)).json).toEqual(run);
  expect(await biller.chargedAmounts()).toEqual([4_000]);
});

test('a dry run predicts a run to the cent, and writes nothing', async () => {
  const biller = await fresh();
  expectSuccess(await merchant.api('PUT', '/billing-settings', { fee_basis_points: 333 }));
  await biller.setPaymentMethod('declined');
  await biller.billable(3_333);
  await biller.run();
  await biller.merchant.moveClock('1h');
  await biller.billable(1_234, 5_678);
  const plain = (invoices: readonly { total_cents: number }[]) => invoices.map(({ total_cents: cents }) => cents).toSorted();
  const [dry, again] = [await biller.run({ dry_run: true }), await biller.run({ dry_run: true })];
  expect(dry).toEqual(again);
  expect(await biller.states()).toEqual({ approved: 2, billed: 1 });
  expect(plain(await biller.run())).toEqual(plain(dry));
  expectSuccess(await merchant.api('PUT', '/billing-settings', { fee_basis_points: 0 }));
});

test('a smaller minimum invoices what reaches it; 0 invoices everything that a provider can charge', async () => {
  const [biller, tiny] = [await fresh(), await fresh()];
  await biller.billable(60);
  await tiny.billable(49);
  expect(await biller.run()).toEqual([]);
  expect(await biller.run({ minimum_cents: 61 })).toEqual([]);
  expect(await biller.run({ minimum_cents: 0 })).toMatchObject([{ total_cents: 60, state: 'paid' }]);
  expect(await tiny.run({ minimum_cents: 0 })).toEqual([]);
});

test('invoices nothing on hold, in its refund hold, unapproved, or worth zero, and the next charge says why', async () => {
  const biller = await fresh();
  const [held = '', , rejected = ''] = await biller.billable(1_000, 2_000, 4_000, 0);
  const act = (path: string, body: object) => biller.merchant.api('POST', `${biller.store}/commissions/${path}`, body);
  expectSuccess(await act('hold', { ids: [held], reason: 'dispute' }));
  expectSuccess(await act('reject', { ids: [rejected], reason: 'returned' }));
  const next = expectSuccess(await biller.merchant.api('GET', `${biller.store}/billing`)).json;
  expect(next).toMatchObject({
    lines_count: 1,
    lines_cents: 2_000,
    total_cents: 2_000,
    is_carried_on: null,
    credit_left_cents: 0,
    in_hold: { count: 1, cents: 1_000, first_until: null },
    has_payment_method: true,
    unpaid: { count: 0 },
  });
  const lines = expectSuccess(await biller.merchant.api('GET', `${biller.store}/billing/lines`)).json;
  expect(lines).toMatchObject({ data: [{ amount_cents: 2_000, creator_name: 'Cora Creator', state: 'approved' }], next_cursor: null });
  const csv = await raw(biller, `${biller.store}/billing/lines`, { accept: 'text/csv' });
  expect((await csv.text()).trim().split('\r\n')).toHaveLength(2);
  expect(new Date(next.next_cut_at).getUTCDate()).toBe(1);
  expect(new Date(next.next_charge_at).getUTCDate()).toBe(4);
  expect(await biller.run()).toMatchObject([{ total_cents: 2_000 }]);
  expect(await biller.states()).toEqual({ approved: 2, collected: 1, rejected: 1 });
});

test('answers 422 to a reversal once the invoice is issued, also after its credit note', async () => {
  const biller = await fresh();
  const { merchant: own } = biller;
  expectSuccess(await own.api('PATCH', `${biller.store}/programs/${own.world.program.id}`, { hold_days: 0 }));
  const order = await own.order();
  expectSuccess(await own.convert(order));
  const { conversion_id: id } = (await own.convert(order)).json;
  expectSuccess(await own.api('POST', `${biller.store}/commissions/approve`, { ids: [id] }));
  const late = { order_id: order.order_id, occurred_at: own.at() };
  await biller.run();
  expect((await biller.invoices()).length).toBe(1);
  expect(await own.reverse(late)).toMatchObject({ status: 422, json: { reason: 'paid_conversion_not_auto_reversed' } });
  const [invoice] = await biller.invoices();
  const note = { commission_ids: [id], reason: 'late refund' };
  expect(expectSuccess(await own.api('POST', `${biller.store}/invoices/${invoice.id}/credit-notes`, note)).json.results).toEqual({
    [id]: 'ok',
  });
  expect(await own.reverse(late)).toMatchObject({ status: 422, json: { reason: 'paid_conversion_not_auto_reversed' } });
  expect(await differences(own)).toEqual([]);
});

test('a person can settle a charge that no look-up settles, and the audit log names them', async () => {
  const biller = await fresh();
  await biller.setPaymentMethod('never');
  await biller.billable(2_000);
  expect(await biller.run()).toMatchObject([{ state: 'charging' }]);
  const [{ id }] = (await biller.invoices()) as [{ id: string }];
  const { charges } = (await biller.merchant.api('GET', `${biller.store}/invoices/${id}`)).json;
  const path = `${biller.store}/charges/${charges[0].id}/settle`;
  const said = { outcome: 'declined', note: 'seen in the list of the provider' };
  expect((await biller.merchant.api('POST', path, { outcome: 'succeeded', note: 'seen' })).status).toBe(400);
  expect(expectSuccess(await biller.merchant.api('POST', path, said)).json).toMatchObject({ invoice_state: 'retrying' });
  expect((await biller.merchant.api('POST', path, said)).status).toBe(409);
  const { data } = (await biller.merchant.api('GET', `${biller.store}/audit-log`)).json;
  expect(data.map(({ action }: { action: string }) => action)).toContain('charge.settled_by_hand');
});

test('only operators may run billing, credit, settle, and change settings; store members with read access can view', async () => {
  const biller = await fresh();
  await biller.setPaymentMethod('never');
  const [commission = ''] = await biller.billable(2_000);
  await biller.run();
  const [{ id }] = (await biller.invoices()) as [{ id: string }];
  const { charges } = (await biller.merchant.api('GET', `${biller.store}/invoices/${id}`)).json;
  const keyWith = async (scopes: readonly string[]): Promise<string> =>
    expectSuccess(await biller.merchant.api('POST', `${biller.store}/api-keys`, { name: 'a program', scopes })).json.key;
  const [reader, all] = [
    clientWithKey(biller.merchant.service, await keyWith(['store:read'])),
    clientWithKey(biller.merchant.service, await keyWith(roles.owner)),
  ];
  const looks = [await reader('GET', `${biller.store}/invoices`), await reader('GET', `${biller.store}/billing`)];
  expect(looks.map(({ status }) => status)).toEqual([200, 200]);
  const ofOperators = [
    ['POST', '/billing-runs', {}],
    ['POST', `${biller.store}/invoices/${id}/credit-notes`, { commission_ids: [commission], reason: 'refunded' }],
    ['POST', `${biller.store}/charges/${charges[0].id}/settle`, { outcome: 'declined', note: 'seen' }],
    ['PUT', '/billing-settings', { minimum_cents: 0 }],
  ] as const;
  for (const [method, path, body] of ofOperators)
    for (const ask of [reader, all]) expect([path, (await ask(method, path, body)).status]).toEqual([path, 403]);
  const method = { sandbox: 'ok' };
  expect((await reader('PUT', `${biller.store}/payment-method`, method)).status).toBe(403);
  expect((await all('PUT', `${biller.store}/payment-method`, method)).status).toBe(200);
  expect(await biller.invoices()).toMatchObject([{ id, state: 'charging' }]);
});
