import { setPaymentMethod } from '../../src/merchants/payment-methods-sql.ts';
import { sql } from '../../src/db/sql.ts';
import { savePayoutSettings } from '../../src/payouts/payout-settings-sql.ts';
import { cents } from '../../src/core/money.ts';
import { type Id, newId, publicId } from '../../src/core/ids.ts';
import { sandboxWebhookPath, sandboxSignatureHeader, signSandboxEvent } from '../../src/payments/sandbox-webhooks.ts';
import { maintainRiskCases } from '../../src/risk/maintain-cases.ts';
import { expectSuccess } from './billing.ts';
import { type Json, type Merchant, merchantIn, openMerchantAlone } from './merchant.ts';

/** A store, its creator and the operators; the test sends the payment provider's events, and no queue runs. */
export type RiskWorld = {
  readonly merchant: Merchant;
  readonly store: string;
  readonly creator: string;
  readonly settings: (fields: object) => Promise<Json>;
  /** Creates orders of a program without a refund hold that are approved, invoiced, and charged with the given payment method. */
  readonly collected: (subtotals: readonly number[], word?: string) => Promise<void>;
  readonly sold: (subtotals: readonly number[], linkUrl?: string) => Promise<void>;
  /** Sends a webhook event about the latest charge that was not declined, signed as the provider signs it. */
  readonly report: (about: string, fields?: object) => Promise<number>;
  /** Null: no payout needs a second person. */
  readonly secondPersonAbove: (amount: number | null) => Promise<void>;
  readonly payoutRun: (creatorId?: string) => Promise<readonly Json[]>;
  readonly payouts: (creatorId?: string) => Promise<readonly Json[]>;
  readonly cases: (query?: string) => Promise<readonly Json[]>;
  readonly release: (caseId: string) => Promise<Json>;
  readonly maintainCases: () => Promise<void>;
  /** The findings of the verification in all books, and in payouts with withheld amounts. */
  readonly differences: () => Promise<readonly Json[]>;
  /** Another creator of the same program: their ID and link. */
  readonly newCreator: (email: string) => Promise<{ readonly id: string; readonly url: string }>;
  /** The link of a creator who becomes a member of the program. */
  readonly linkOf: (creatorId: string) => Promise<string>;
};

const inLiveMode = { enforce: true, reserve_days: 30 };
const defaultSettings = {
  enforce: null,
  reserve_days: null,
  reserve_until_invoices: null,
  large_first_payout_cents: null,
  orders_per_hour_min: null,
  order_size_min_cents: null,
};

export const openRiskWorld = async (): Promise<RiskWorld> => {
  const merchant = await openMerchantAlone();
  await merchant.moveToSpring();
  return riskWorldOf(merchant);
};

export const anotherRiskWorld = async ({ merchant: { service } }: RiskWorld): Promise<RiskWorld> =>
  riskWorldOf(merchantIn(service, await service.seed()));

export function riskWorldOf(merchant: Merchant): RiskWorld {
  const { world, service, storeId, database } = merchant;
  const [store, creator] = [`/stores/${world.store.id}`, `/creators/${world.creator.id}`];
  const sold = async (subtotals: readonly number[], linkUrl?: string): Promise<void> => {
    for (const order_subtotal_cents of subtotals) {
      const order = await merchant.order({ order_subtotal_cents, ...(linkUrl && { click_id: await merchant.click(linkUrl) }) });
      expectSuccess(await merchant.convert(order));
    }
  };
  return {
    merchant,
    store,
    creator,
    settings: async (fields) => expectSuccess(await merchant.api('PUT', '/risk/settings', { ...defaultSettings, ...fields })).json,
    sold,
    collected: async (subtotals, word = 'ok') => {
      expectSuccess(await merchant.api('PATCH', `${store}/programs/${world.program.id}`, { hold_days: 0 }));
      await sold(subtotals);
      expectSuccess(await merchant.api('POST', `${store}/commissions/approve`, { filter: { state: 'pending' } }));
      await setPaymentMethod(database, { storeId, provider: 'sandbox', instrument: word, at: new Date(merchant.at()) });
      expectSuccess(await merchant.api('POST', '/billing-runs', { store_id: world.store.id, minimum_cents: 0 }));
    },
    report: async (about, fields = {}) => {
      const { chargeId } = await database.one<{ chargeId: Id<'chg'> }>(sql`
        select charge_id from charges where store_id = ${storeId} and state not in ('declined', 'absent')
        order by charge_id desc limit 1`);
      const event = {
        newsId: newId(new Date()),
        reference: publicId('chg', chargeId),
        about,
        at: merchant.at(),
        why: 'reported by a test',
      };
      const body = JSON.stringify({ ...event, ...(about === 'dispute_lost' ? {} : { amount: 5_000 }), ...fields });
      return (await sendEvent(service, body)).status;
    },
    secondPersonAbove: (amount) =>
      service.platform.database.transaction((tx) =>
        savePayoutSettings(tx, {
          minimumCents: cents(2_500),
          secondPersonAboveCents: amount === null ? null : cents(amount),
          hasNoLimit: false,
          requested: null,
        }),
      ),
    payoutRun: async (creatorId = world.creator.id) =>
      expectSuccess(await merchant.api('POST', '/payout-runs', { creator_id: creatorId, minimum_cents: 0 })).json.payouts,
    payouts: async (creatorId = world.creator.id) => expectSuccess(await merchant.api('GET', `/creators/${creatorId}/payouts`)).json.data,
    cases: async (query = `store_id=${world.store.id}`) => expectSuccess(await merchant.api('GET', `/risk/cases?${query}`)).json.data,
    release: async (caseId) => expectSuccess(await merchant.api('POST', `/risk/cases/${caseId}/release`, { reason: 'Looked at it.' })).json,
    maintainCases: () => maintainRiskCases(service.platform),
    differences: async () => expectSuccess(await merchant.api('POST', '/ledger/verify')).json.differences,
    newCreator: async (email) => {
      const { id } = expectSuccess(await merchant.api('POST', '/creators', { name: 'Second Creator', email })).json;
      return { id, url: await linkOf(merchant, id) };
    },
    linkOf: (creatorId) => linkOf(merchant, creatorId),
  };
}

async function linkOf(merchant: Merchant, creatorId: string): Promise<string> {
  const { store, program } = merchant.world;
  const path = `/stores/${store.id}/programs/${program.id}`;
  expectSuccess(await merchant.api('POST', `${path}/members`, { creator_id: creatorId }));
  return expectSuccess(await merchant.api('POST', `${path}/links`, { creator_id: creatorId })).json.url;
}

export const asInLiveMode = (world: RiskWorld): Promise<Json> => world.settings(inLiveMode);

/** The commission is the whole order, without a refund hold. */
export async function giveAllAway({ merchant, store }: RiskWorld): Promise<void> {
  const program = `${store}/programs/${merchant.world.program.id}`;
  expectSuccess(await merchant.api('PATCH', program, { hold_days: 0 }));
  expectSuccess(
    await merchant.api('POST', `${program}/terms`, { pays: 'order', order_rules: [{ basis_points: 10_000 }], subscription_rules: [] }),
  );
}

export const approveAll = async ({ merchant, store }: RiskWorld): Promise<Json> =>
  expectSuccess(await merchant.api('POST', `${store}/commissions/approve`, { filter: { state: 'pending' } })).json.counts;

export const runBilling = async ({ merchant }: RiskWorld): Promise<readonly Json[]> =>
  expectSuccess(await merchant.api('POST', '/billing-runs', { store_id: merchant.world.store.id, minimum_cents: 0 })).json.invoices;

async function sendEvent({ url, platform }: Merchant['service'], body: string): Promise<Response> {
  const headers = { 'content-type': 'application/json', [sandboxSignatureHeader]: signSandboxEvent(platform.secrets, body, new Date()) };
  return fetch(`${url}${sandboxWebhookPath}`, { method: 'POST', headers, body });
}
