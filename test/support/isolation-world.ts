import { insertRole } from '../../src/people/team-sql.ts';
import type { Role } from '../../src/people/permissions.ts';
import { sql } from '../../src/db/sql.ts';
import { newId, publicId, type Id } from '../../src/core/ids.ts';
import { invariant } from '../../src/core/invariant.ts';
import { listOrders, requestOrder } from '../../src/shopify-orders/orders-sql.ts';
import { insertEvent } from '../../src/stripe-orders/events-sql.ts';
import { openCase } from '../../src/risk/open-case.ts';
import { billerOf, expectSuccess } from './billing.ts';
import { merchantIn, type Json, type Merchant } from './merchant.ts';
import { createPerson, signIn, type ApiClient } from './portal.ts';
import { reviewerOf } from './review.ts';
import type { TestService } from './service.ts';
import { subscriberOf } from './subscriber.ts';

/** A PNG image of one pixel. */
export const onePixelPng = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** A store and a creator with one of every object that an API path can name. */
export type FullWorld = {
  readonly merchant: Merchant;
  readonly owner: ApiClient;
  readonly creator: ApiClient;
  /** By path, as in the document: `/stores/{store}/invoices/{invoice}`. */
  readonly ids: Readonly<Record<string, string>>;
};

export async function fullWorld(service: TestService): Promise<FullWorld> {
  const merchant = merchantIn(service, await service.seed());
  const { world, api } = merchant;
  const { store, creator, logins } = world;
  const [owner, cora] = [await signIn(service, logins.merchant), await signIn(service, logins.creator)];
  const mine = `/stores/${store.id}`;
  const create = async (path: string, body: object): Promise<Json> => expectSuccess(await owner('POST', path, body)).json;
  const first = async (path: string): Promise<Json> => expectSuccess(await api('GET', path)).json.data[0];
  const moneyIds = await createMoneyObjects(merchant);
  const { endpoint, delivery } = await webhookOf(merchant, owner);
  const { id: ownKey } = await create(`${mine}/api-keys`, { name: 'export', scopes: ['store:read'] });
  const [relationship, dispute] = [await relationshipOf(merchant), await disputeOf(merchant, cora)];
  return {
    merchant,
    owner,
    creator: cora,
    ids: {
      '/stores/{store}': store.id,
      '/creators/{creator}': creator.id,
      '/stores/{store}/creators/{creator}': creator.id,
      '/stores/{store}/creators/{creator}/notes/{note}': (await create(`${mine}/creators/${creator.id}/notes`, { text: 'Sells well.' })).id,
      '/stores/{store}/postback-keys/{key}': (await first(`${mine}/postback-keys`)).id,
      '/stores/{store}/tracking-log/{postback}': (await first(`${mine}/tracking-log`)).id,
      '/stores/{store}/webhook-endpoints/{endpoint}': endpoint,
      '/stores/{store}/webhook-endpoints/{endpoint}/deliveries/{delivery}': delivery,
      '/stores/{store}/stripe/events/{event}': await stripeEventOf(merchant),
      '/stores/{store}/shopify/orders/{order}': await shopifyOrderOf(merchant),
      '/stores/{store}/relationships/{relationship}': relationship,
      '/stores/{store}/disputes/{dispute}': dispute,
      '/stores/{store}/team/{user}': (await first(`${mine}/team`)).user_id,
      '/stores/{store}/invitations/{invitation}': (await create(`${mine}/invitations`, { email: 'fin@people.example', role: 'finance' }))
        .id,
      '/stores/{store}/api-keys/{key}': ownKey,
      '/profile/api-keys/{key}': ownKey,
      '/profile/devices/{device}': expectSuccess(await owner('GET', '/profile/devices')).json.data[0].id,
      '/profile/notifications/{notification}': expectSuccess(await owner('GET', '/profile/notifications')).json.data[0].id,
      '/creators/{creator}/memberships/{member}': (await first(`/creators/${creator.id}/memberships`)).id,
      '/creators/{creator}/api-keys/{key}': expectSuccess(
        await cora('POST', `/creators/${creator.id}/api-keys`, { name: 'mine', scopes: ['creator:read'] }),
      ).json.id,
      '/sessions/{session}': expectSuccess(await owner('GET', '/sessions')).json.data[0].id,
      ...moneyIds,
      ...(await createProgramObjects(merchant, owner)),
      ...(await operatorsOwn(merchant)),
      '/risk/cases/{case}': await riskCaseOf(merchant),
    },
  };
}

/** A failed event of the store's Stripe account, which can be processed again. */
async function stripeEventOf(merchant: Merchant): Promise<string> {
  const { database, storeId, api, world } = merchant;
  const path = `/stores/${world.store.id}/stripe`;
  expectSuccess(await api('PUT', path, { signing_secret: 'whsec_sampleOfTheTests', api_key: 'rk_test_sampleOfTheTests' }));
  const now = new Date();
  await insertEvent(database, {
    storeId,
    eventId: newId<'sev'>(now),
    eventName: 'evt_1',
    objectName: 'cs_1',
    type: 'checkout.session.completed',
    createdAt: now,
    receivedAt: now,
    body: Buffer.from('{"id":"evt_1","type":"checkout.session.completed","created":1,"data":{"object":{"id":"cs_1"}}}'),
    state: 'failed',
    reason: 'not_usd',
    message: null,
    tryAt: now,
    endedAt: now,
  });
  return expectSuccess(await api('GET', `${path}/events`)).json.data[0].id;
}

/** An order that the store's Shopify shop named. */
async function shopifyOrderOf({ database, storeId }: Merchant): Promise<string> {
  const named = { orderName: '1', checkoutToken: null, requestedBy: 'orders/paid', unlessRequestedSince: null };
  await requestOrder(database, { storeId, now: new Date(), ...named });
  const [order] = await listOrders(database, { storeId, state: null }, { after: null, limit: 1 });
  invariant(order !== undefined, 'the order was stored');
  return publicId('shor', order.shopifyOrderId);
}

/** The objects of the seed's program. */
async function createProgramObjects(merchant: Merchant, owner: ApiClient): Promise<Readonly<Record<string, string>>> {
  const { store, creator, program, logins } = merchant.world;
  const mine = `/stores/${store.id}`;
  const programPath = `${mine}/programs/${program.id}`;
  const create = async (path: string, body: object): Promise<string> => expectSuccess(await owner('POST', path, body)).json.id;
  const invitationTo = async (email: string): Promise<string> => {
    const invited = await owner('POST', `${mine}/creator-invitations`, { program_id: program.id, emails: [email] });
    return expectSuccess(invited).json.results[0].invitation_id;
  };
  // A file, because a text asset has nothing to download.
  const { id: asset } = expectSuccess(await owner('POST', `${programPath}/asset-files?name=pixel`, onePixelPng)).json;
  return {
    '/programs/{program}': program.id,
    '/stores/{store}/programs/{program}': program.id,
    '/stores/{store}/programs/{program}/members/{member}': expectSuccess(await owner('GET', `${programPath}/members`)).json.data[0].id,
    '/stores/{store}/programs/{program}/groups/{group}': await create(`${programPath}/groups`, { name: 'Stars' }),
    '/stores/{store}/programs/{program}/assets/{asset}': asset,
    '/creators/{creator}/assets/{asset}': asset,
    '/stores/{store}/codes/{code}': await create(`${programPath}/codes`, { code: 'CORA10', creator_id: creator.id }),
    '/stores/{store}/bonuses/{bonus}': await create(`${programPath}/bonuses`, {
      creator_id: creator.id,
      amount_cents: 500,
      reason: 'Launch',
    }),
    '/stores/{store}/creator-invitations/{invitation}': await invitationTo(`invited-${store.id.slice(-6)}@people.example`),
    '/stores/{store}/creator-imports/{import}': await create(`${mine}/creator-imports`, {
      file_name: 'a.csv',
      csv: 'email\nrow@people.example',
      program_id: program.id,
    }),
    '/profile/program-invitations/{invitation}': await invitationTo(logins.merchant.email),
  };
}

/** A paid invoice with its charge and the payout that followed. */
async function createMoneyObjects(merchant: Merchant): Promise<Readonly<Record<string, string>>> {
  const biller = billerOf(merchant);
  const [commission] = await biller.billable(4_000, 5_000);
  const { json: run } = expectSuccess(await merchant.api('POST', '/billing-runs', { store_id: merchant.world.store.id, minimum_cents: 0 }));
  const [invoice] = await biller.invoices();
  const [charge] = expectSuccess(await merchant.api('GET', `${biller.store}/invoices/${invoice.id}`)).json.charges;
  const payoutRun = { creator_id: merchant.world.creator.id, minimum_cents: 0 };
  const { json: paid } = expectSuccess(await merchant.api('POST', '/payout-runs', payoutRun));
  invariant(commission !== undefined && paid.payouts.length === 1, 'the creator was paid for an invoice of the store');
  return {
    '/stores/{store}/commissions/{commission}': commission,
    '/stores/{store}/invoices/{invoice}': invoice.id,
    '/stores/{store}/charges/{charge}': charge.id,
    '/creators/{creator}/commissions/{commission}': commission,
    '/creators/{creator}/payouts/{payout}': paid.payouts[0].id,
    '/payouts/{payout}': paid.payouts[0].id,
    '/billing-runs/{run}': run.id,
    '/payout-runs/{run}': paid.id,
  };
}

/** Objects that belong to neither a store nor a creator. */
async function operatorsOwn({ api, world, service }: Merchant): Promise<Readonly<Record<string, string>>> {
  const email = `operator-${world.store.id.slice(-6)}@people.example`;
  const response = await fetch(`${service.url}/api/v1/password-resets`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: world.logins.merchant.email }),
  });
  invariant(response.ok, 'the password reset request succeeds');
  const { id: invitation } = expectSuccess(await api('POST', '/operator-invitations', { email })).json;
  return {
    '/operators/{user}': expectSuccess(await api('GET', '/operators')).json.data[0].user_id,
    '/people/{user}': expectSuccess(await api('POST', '/people/find', { email: world.logins.merchant.email })).json.user_id,
    '/operator-invitations/{invitation}': invitation,
    '/operator-approvals/{invitation}': invitation,
    '/api-keys/{key}': expectSuccess(await api('GET', '/api-keys')).json.data[0].id,
    '/mails/{mail}': expectSuccess(await api('GET', '/mails')).json.data[0].id,
  };
}

async function relationshipOf(merchant: Merchant): Promise<string> {
  const response = await subscriberOf(merchant).bind();
  invariant(response.status === 200, `the subscription is bound: ${response.text}`);
  return expectSuccess(await merchant.api('GET', `/stores/${merchant.world.store.id}/relationships`)).json.data[0].id;
}

async function disputeOf(merchant: Merchant, creator: ApiClient): Promise<string> {
  const reviewer = reviewerOf(merchant);
  const { commissionId } = await reviewer.sale();
  await reviewer.results('reject', [commissionId]);
  const { store, creator: cora } = merchant.world;
  const body = { store_id: store.id, commission_id: commissionId, text: 'It was not returned.' };
  return expectSuccess(await creator('POST', `/creators/${cora.id}/disputes`, body)).json.id;
}

/** A case that blocks nothing, so that the store's other data stays unchanged. */
async function riskCaseOf({ database, storeId }: Merchant): Promise<string> {
  const scope = { of: 'store', storeId } as const;
  const at = new Date();
  const caseId = await database.transaction((tx) => openCase(tx, { rule: 'order_rate', scope, evidence: [], isEnforced: false, at }));
  invariant(caseId !== null, 'the store has no other open case of this rule');
  return publicId('case', caseId);
}

/** No server needs to listen there: the test needs only a pending delivery. */
async function webhookOf({ world }: Merchant, owner: ApiClient) {
  const all = `/stores/${world.store.id}/webhook-endpoints`;
  const body = { url: 'https://hooks.shop.example/told', events: ['commission.approved'] };
  const { id: endpoint } = expectSuccess(await owner('POST', all, body)).json;
  expectSuccess(await owner('POST', `${all}/${endpoint}/test`));
  const { data } = expectSuccess(await owner('GET', `${all}/${endpoint}/deliveries`)).json;
  return { endpoint: String(endpoint), delivery: String(data[0].id) };
}

/** A store member who is signed in, with this role and nothing else. */
export async function addTeamMember({ service, database, storeId }: Merchant, role: Role): Promise<ApiClient> {
  const { ask, email } = await createPerson(service, role);
  const { userId } = await database.one<{ userId: Id<'user'> }>(sql`select user_id from users where email = ${email}`);
  await insertRole(database, { userId, storeId, role, now: new Date() });
  return ask;
}

/** Every row of a store and of a creator, as one text. Data that background work changes is excluded. */
export async function rowsOf({ database, storeId, world }: Merchant, creatorId: Id<'crt'>): Promise<string> {
  const tables = await database.all<{ name: string; column: string }>(sql`
    select c.table_name as name, c.column_name as "column" from information_schema.columns c
    join information_schema.tables t using (table_schema, table_name)
    where c.table_schema = 'public' and t.table_type = 'BASE TABLE' and c.column_name in ('store_id', 'creator_id')
      and c.table_name not like 'webhook\\_%' and c.table_name <> 'store_events' order by 1, 2`);
  invariant(tables.length > 40 && world.store.id !== '', 'the tables of stores and creators are found by their columns');
  const all: string[] = [];
  for (const { name, column } of tables) {
    const id = column === 'store_id' ? storeId : creatorId;
    const { rows } = await database.pool.query(
      `select coalesce(json_agg(r order by r::text)::text, '') as r from ${name} r where ${column} = $1`,
      [id],
    );
    all.push(`${name}.${column} ${rows[0].r}`);
  }
  return all.join('\n');
}
