import { moveSandboxClock } from '../../src/db/sandbox-clock.ts';
import { publicId, type Id } from '../../src/core/ids.ts';
import { invariant } from '../../src/core/invariant.ts';
import { createCollectedCommissions, createPayee } from './collected-commissions.ts';
import { openMerchant, type Json, type Merchant } from './merchant.ts';

/** The operators' side of payouts, through the API. */
export type OperatorPayouts = {
  readonly merchant: Merchant;
  /** Another operator with a session: a second person. An API key cannot confirm anything. */
  readonly second: Merchant['api'];
  /** A creator whose store has paid all its invoices. */
  readonly earner: (amounts: readonly number[], word?: string | null) => Promise<{ readonly id: string; readonly creatorId: Id<'crt'> }>;
  /** A run for one creator, regardless of the minimum. */
  readonly runFor: (creatorId: string, fields?: object) => Promise<Json>;
  readonly settings: (fields: object) => ReturnType<Merchant['api']>;
};

export async function openOperatorPayouts(): Promise<OperatorPayouts> {
  const merchant = await openMerchant();
  const { platform } = merchant.service;
  // The same day of the year at every run: December has its own kind of payout.
  const { jobsDatabase, clock } = platform;
  await moveSandboxClock(jobsDatabase, clock, new Date(Date.UTC(clock.now().getUTCFullYear() + 1, 0, 20, 12)));
  const second = await anotherOperator(merchant);
  return {
    merchant,
    second,
    earner: async (amounts, word = 'ok') => {
      const creatorId = await createPayee(platform, word);
      await createCollectedCommissions(platform, { storeId: merchant.storeId, creatorId }, amounts);
      return { id: publicId('crt', creatorId), creatorId };
    },
    runFor: async (creatorId, fields = {}) => {
      const response = await merchant.api('POST', '/payout-runs', { creator_id: creatorId, minimum_cents: 0, ...fields });
      invariant(response.status === 201, `the payout run is created: ${response.text}`);
      return response.json;
    },
    settings: (fields) => setByBoth([merchant.api, second], { minimum_cents: 2_500, second_person_above_cents: null, ...fields }),
  };
}

/** Loosening a limit takes two people; the first alone makes any other change. */
async function setByBoth([first, second]: readonly [Merchant['api'], Merchant['api']], settings: object): ReturnType<Merchant['api']> {
  const response = await first('PUT', '/payout-settings', settings);
  return response.status === 200 && response.json.second_person_asked !== null ? second('PUT', '/payout-settings', settings) : response;
}

/** A second operator with a separate session. */
export async function anotherOperator({ service: { url, seed } }: Merchant): Promise<Merchant['api']> {
  return signInTo(url, (await seed()).logins.operator);
}

/** The API with the session of a person. */
export async function signInTo(url: string, login: object): Promise<Merchant['api']> {
  const fixed = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' };
  const signIn = await fetch(`${url}/api/v1/session`, { method: 'POST', headers: fixed, body: JSON.stringify(login) });
  invariant(signIn.status === 200, `the person signs in: ${signIn.status}`);
  const cookie = signIn.headers.get('set-cookie')?.split(';')[0] ?? '';
  return async (method, path, body) => {
    const response = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: { ...fixed, cookie },
      body: body === undefined ? null : JSON.stringify(body),
    });
    const text = await response.text();
    return { status: response.status, text, json: text === '' ? null : JSON.parse(text), headers: response.headers };
  };
}
