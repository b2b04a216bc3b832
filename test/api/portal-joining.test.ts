import { afterAll, expect, test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { decidedMin } from '../../src/portal/program-record.ts';
import { verify } from '../../src/app/verify.ts';
import { addTeamMember } from '../support/isolation-world.ts';
import { merchantIn, openMerchant, visitLink } from '../support/merchant.ts';
import { createCreatorPerson, joinProgram, emailsTo, anonymousClient, createPerson, signIn } from '../support/portal.ts';
import { reviewerOf } from '../support/review.ts';
import { subscriberOf } from '../support/subscriber.ts';

const merchant = await openMerchant();
afterAll(() => merchant.service.stop());
const nora = await createCreatorPerson(merchant.service);
const anonymous = anonymousClient(merchant.service);
const program = `/programs/${merchant.world.program.id}`;
const members = `/stores/${merchant.world.store.id}${program}/members`;

test('a person becomes a creator once, with their own address, and their session shows it immediately', async () => {
  const person = await createPerson(merchant.service, 'Otto Other');
  const both = await Promise.all([person.ask('POST', '/creators/me', {}), person.ask('POST', '/creators/me', { name: 'Otto’s Outdoors' })]);
  expect(both.map(({ status }) => status).sort()).toEqual([201, 409]);
  const made = both.find(({ status }) => status === 201)?.json;
  expect(made).toMatchObject({ email: person.email, status: 'active', payout_method: { provider: 'sandbox', sandbox: 'ok' } });
  expect((await person.ask('GET', '/session')).json.creator_id).toBe(made.id);
  expect((await person.ask('GET', `/creators/${made.id}`)).status).toBe(200);
  expect((await anonymous('POST', '/creators/me', {})).status).toBe(401);
});

test('a program’s public page is readable without signing in: names, terms, and statistics only after enough decisions', async () => {
  const { status, json } = await anonymous('GET', program);
  expect(status).toBe(200);
  expect(json).toMatchObject({
    id: merchant.world.program.id,
    name: 'Friends of the shop',
    is_open: true,
    my_membership: null,
    next_terms: null,
  });
  expect(json.terms).toMatchObject({ hold_days: 30, attribution_days: 30, order_rules: [{ product_id: null, basis_points: 1_000 }] });
  expect(json.record).toEqual({ decided: 0, median_approval_hours: null, refused_basis_points: null });
  expect(json.store_name).toMatch(/^Shop /);
});

test('a draft is answered like a program that does not exist, for every requester', async () => {
  const { world, api } = merchant;
  const draft = await api('POST', `/stores/${world.store.id}/programs`, { name: 'Secret plans', landing_url: world.store.site_url });
  const terms = { order_rules: [{ basis_points: 100 }], subscription_rules: [], pays: 'order' };
  await api('POST', `/stores/${world.store.id}/programs/${draft.json.id}/terms`, terms);
  const answers = await Promise.all(
    [draft.json.id, `${world.program.id.slice(0, -6)}000000`, 'x'].flatMap((id) => [
      anonymous('GET', `/programs/${id}`),
      nora.ask('GET', `/programs/${id}`),
      nora.ask('POST', `/programs/${id}/applications`, {}),
    ]),
  );
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 404));
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
});

test('review times and rejection rates come from the decisions on this program’s commissions', async () => {
  const reviewer = reviewerOf(merchant);
  const ids: string[] = [];
  for (let count = 0; count < decidedMin; count++) ids.push((await reviewer.sale()).commissionId);
  await merchant.moveClock('24h');
  await reviewer.results('approve', ids.slice(1));
  await reviewer.results('reject', ids.slice(0, 1));
  expect((await anonymous('GET', program)).json.record).toEqual({ decided: 5, median_approval_hours: 24, refused_basis_points: 2_000 });
  const other = `/programs/${merchant.world.per_product.program_id}`;
  expect((await anonymous('GET', other)).json.record.decided).toBe(0);
});

test('from application to the first link: the merchant approves, an email confirms it, and only then a link can be created', async () => {
  const { world, api } = merchant;
  const links = `/creators/${nora.id}/links`;
  const applied = await nora.ask('POST', `${program}/applications`, {});
  expect([applied.status, applied.json.status]).toEqual([201, 'applied']);
  expect((await nora.ask('POST', `${program}/applications`, {})).status).toBe(409);
  expect((await nora.ask('GET', program)).json.my_membership).toBe('applied');
  expect((await api('GET', `/stores/${world.store.id}/overview`)).json.waiting.applications).toBe(1);
  const early = await nora.ask('POST', links, { program_id: world.program.id });
  const foreign = await nora.ask('POST', links, { program_id: 'prog_00000000000000000000000000' });
  expect([early.status, early.text]).toEqual([422, foreign.text]);

  await api('PATCH', `${members}/${applied.json.id}`, { status: 'approved' });
  expect((await emailsTo(merchant.service, nora.email)).map(({ subject }) => subject)).toEqual([
    expect.stringMatching(/^You’re approved: Friends of the shop by Shop /),
  ]);
  expect((await nora.ask('GET', `/creators/${nora.id}/memberships`)).json.data).toEqual([
    expect.objectContaining({
      id: applied.json.id,
      status: 'approved',
      program_id: world.program.id,
      store_id: world.store.id,
      store_status: 'active',
    }),
  ]);

  const away = await nora.ask('POST', links, { program_id: world.program.id, destination_url: 'https://elsewhere.example/' });
  expect([away.status, away.json.errors[0].field]).toEqual([422, 'destination_url']);
  const code = `nora-${world.store.tracking_key.slice(-6)}`;
  const made = await nora.ask('POST', links, { program_id: world.program.id, destination_url: `${world.store.site_url}/boots`, code });
  expect(made.json).toMatchObject({
    code,
    leads_to: `${world.store.site_url}/boots`,
    earns: true,
    arrivals: 0,
    clicks: 0,
    orders: 0,
    earned_cents: 0,
  });
  expect((await nora.ask('POST', links, { program_id: world.program.id, code })).status).toBe(409);
});

test('a link shows all visits, those of people, orders, and its earnings; a paused one says so', async () => {
  const { world, service } = merchant;
  const creator = await createCreatorPerson(service);
  const { member, link } = await joinProgram(merchant, creator);
  const click_id = await merchant.click(link.url);
  await merchant.click(link.url);
  await fetch(`${service.url}/r/${link.code}`, {
    redirect: 'manual',
    headers: { 'user-agent': 'Googlebot/2.1' },
  });
  await merchant.convert(await merchant.order({ click_id }));
  // A bound subscription is not a visit, and neither is an order.
  expect((await subscriberOf(merchant).bind({ click_id })).json.reason).toBe('recorded');
  const shown = async () => (await creator.ask('GET', `/creators/${creator.id}/links`)).json.data[0];
  expect(await shown()).toMatchObject({ arrivals: 3, clicks: 2, orders: 1, earned_cents: 1_001, earns: true });
  await merchant.api('PATCH', `${members}/${member}`, { status: 'paused' });
  expect(await shown()).toMatchObject({ earns: false });
  expect((await creator.ask('GET', `/creators/${creator.id}/links?program_id=${world.per_product.program_id}`)).json.data).toEqual([]);
  // The change reaches every process within a moment.
  await expect.poll(async () => (await visitLink(service.url, link.code)).headers.get('location')).not.toContain('rm_click');
});

test('lists links page by page, newest first, each once', async () => {
  const creator = await createCreatorPerson(merchant.service);
  await joinProgram(merchant, creator);
  for (let count = 0; count < 4; count++)
    await creator.ask('POST', `/creators/${creator.id}/links`, { program_id: merchant.world.program.id });
  const codes: string[] = [];
  let cursor = '';
  for (let page = 0; page < 3; page++) {
    const { json } = await creator.ask('GET', `/creators/${creator.id}/links?limit=2${cursor}`);
    codes.push(...json.data.map(({ code }: { readonly code: string }) => code));
    cursor = `&cursor=${json.next_cursor}`;
  }
  expect(codes).toHaveLength(5);
  expect(new Set(codes).size).toBe(5);
});

test('a person without a creator learns how to become one before they apply, and a paused program accepts no applications', async () => {
  const { world, api } = merchant;
  const merchantsOwn = await signIn(merchant.service, world.logins.merchant);
  expect((await merchantsOwn('POST', `${program}/applications`, {})).status).toBe(409);
  expect((await anonymous('POST', `${program}/applications`, {})).status).toBe(401);
  const late = await createCreatorPerson(merchant.service);
  await api('POST', `/stores/${world.store.id}/programs/${world.per_product.program_id}/pause`);
  expect((await late.ask('POST', `/programs/${world.per_product.program_id}/applications`, {})).status).toBe(422);
  expect((await late.ask('GET', `/programs/${world.per_product.program_id}`)).json.is_open).toBe(false);
});

test('verification finds a membership that is missing from the creator’s directory', async () => {
  const { database, service } = merchant;
  const broken = async () => (await verify(service.platform)).flatMap(({ differences }) => differences);
  expect(await broken()).toEqual([]);
  await database.run(sql`delete from creator_stores where store_id = ${merchant.storeId}`);
  expect((await broken()).every(({ detail }) => /^member .* is in no directory$/.test(detail))).toBe(true);
  expect((await broken()).length).toBeGreaterThan(0);
  await database.run(
    sql`insert into creator_stores (creator_id, store_id) select distinct creator_id, store_id from members on conflict do nothing`,
  );
});

test('people who can approve applications get an email about each, unless they turned it off', async () => {
  const other = merchantIn(merchant.service, await merchant.service.seed());
  const [owner, viewer] = [await signIn(other.service, other.world.logins.merchant), await addTeamMember(other, 'viewer')];
  const applications = `/programs/${other.world.program.id}/applications`;
  const wanted = `/stores/${other.world.store.id}/notifications`;
  const subjects = async () =>
    (await owner('GET', `/stores/${other.world.store.id}/mails`)).json.data.map(({ subject }: { subject: string }) => subject);
  const applied = (name: string) => expect.stringMatching(new RegExp(`: ${name} applied to Friends of the shop$`));

  const [first, second] = [await createCreatorPerson(other.service), await createCreatorPerson(other.service)];
  expect((await first.ask('POST', applications, {})).status).toBe(201);
  expect(await subjects()).toEqual([applied('Nora Newcomer')]);
  const [mail] = await emailsTo(other.service, other.world.logins.merchant.email);
  expect(mail?.text).toContain(`/stores/${other.world.store.id}/creators?status=applied`);

  expect((await owner('GET', wanted)).json).toEqual({ applications: true, approvals: true, disputes: true });
  expect((await owner('PUT', wanted, { applications: false })).json).toEqual({ applications: false, approvals: true, disputes: true });
  expect((await second.ask('POST', applications, {})).status).toBe(201);
  expect(await subjects()).toHaveLength(1);
  // Each person chooses separately, whatever their role; a key has no emails.
  expect((await viewer('GET', wanted)).json).toEqual({ applications: true, approvals: true, disputes: true });
  expect((await other.api('GET', wanted)).status).toBe(409);
  expect((await first.ask('GET', wanted)).status).toBe(404);
});

test('a person who signs up on a program’s page returns to it through the link in the email, and to no other page', async () => {
  const { world, service } = merchant;
  const linkOf = async (email: string) => /https?:\S+\/(?:link|sign-in)\S*/.exec((await emailsTo(service, email))[0]?.text ?? '')?.[0];
  expect((await anonymous('POST', '/sign-ups', { email: 'fresh@people.example', program_id: world.program.id })).status).toBe(200);
  expect(await linkOf('fresh@people.example')).toMatch(new RegExp(`/link\\?next=%2Fprograms%2F${world.program.id}#`));
  await anonymous('POST', '/sign-ups', { email: nora.email, program_id: world.program.id });
  expect(await linkOf(nora.email)).toMatch(new RegExp(`/sign-in\\?next=%2Fprograms%2F${world.program.id}$`));
  for (const bad of ['https://evil.example', '/operator', `${world.program.id}/../x`, ''])
    expect((await anonymous('POST', '/sign-ups', { email: 'bad@people.example', program_id: bad })).status, bad).toBe(400);
});
