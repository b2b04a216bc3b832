import { moveSandboxClock } from '../../src/platform/database/sandbox-clock.ts';
import { publicId, type Id } from '../../src/platform/ids.ts';
import { must } from '../../src/platform/must.ts';
import { collected, payee } from './collected.ts';
import { openMerchant, type Json, type Merchant } from './merchant.ts';

/** The operators' side of payouts, over the wire. */
export type PayoutOffice = {
  readonly merchant: Merchant;
  /** Another operator, signed in: a second person. A key would confirm nothing. */
  readonly second: Merchant['api'];
  /** A creator to whom the store owes nothing any more: it paid. */
  readonly earner: (amounts: readonly number[], word?: string | null) => Promise<{ readonly id: string; readonly creatorId: Id<'crt'> }>;
  /** A run for one creator, whatever the minimum is. */
  readonly runFor: (creatorId: string, fields?: object) => Promise<Json>;
  readonly settings: (fields: object) => ReturnType<Merchant['api']>;
};

export async function openPayoutOffice(): Promise<PayoutOffice> {
  const merchant = await openMerchant();
  const { platform } = merchant.service;
  // The same day of the year whenever this runs: in December there is a payout of its own kind.
  const { nightDatabase, clock } = platform;
  await moveSandboxClock(nightDatabase, clock, new Date(Date.UTC(clock.now().getUTCFullYear() + 1, 0, 20, 12)));
  const second = await anotherOperator(merchant);
  return {
    merchant,
    second,
    earner: async (amounts, word = 'ok') => {
      const creatorId = await payee(platform, word);
      await collected(platform, { storeId: merchant.storeId, creatorId }, amounts);
      return { id: publicId('crt', creatorId), creatorId };
    },
    runFor: async (creatorId, fields = {}) => {
      const came = await merchant.api('POST', '/payout-runs', { creator_id: creatorId, minimum_cents: 0, ...fields });
      must(came.status === 201, `the run was answered: ${came.text}`);
      return came.json;
    },
    settings: (fields) => setByBoth([merchant.api, second], { minimum_cents: 2_500, second_person_above_cents: null, ...fields }),
  };
}

/** What loosens a limit is set by two people; all else by the first alone. */
async function setByBoth([first, second]: readonly [Merchant['api'], Merchant['api']], settings: object): ReturnType<Merchant['api']> {
  const came = await first('PUT', '/payout-settings', settings);
  return came.status === 200 && came.json.second_person_asked !== null ? second('PUT', '/payout-settings', settings) : came;
}

/** Somebody else who operates too, with a session of their own. */
export async function anotherOperator({ service: { url, seed } }: Merchant): Promise<Merchant['api']> {
  const { logins } = await seed();
  const fixed = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' };
  const signIn = await fetch(`${url}/api/v1/session`, { method: 'POST', headers: fixed, body: JSON.stringify(logins.operator) });
  must(signIn.status === 200, `the second operator signs in: ${signIn.status}`);
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
