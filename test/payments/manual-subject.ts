import { expect } from 'vitest';
import { setPayoutMethod } from '../../src/creators/payout-methods.ts';
import { moveSandboxClock } from '../../src/db/sandbox-clock.ts';
import { sql } from '../../src/db/sql.ts';
import { cents } from '../../src/core/money.ts';
import { invariant } from '../../src/core/invariant.ts';
import { openProviders } from '../../src/payments/providers.ts';
import { sandboxWebhookPath, sandboxSignatureHeader, signSandboxEvent } from '../../src/payments/sandbox-webhooks.ts';
import type { ApiResponse, Json } from '../support/merchant.ts';
import { openOperatorPayouts, type OperatorPayouts } from '../support/operator-payouts.ts';

/** Manual payouts: the list of payouts, the marks of a person, and the resulting balances. */
export type PayoutsPage = {
  readonly office: OperatorPayouts;
  readonly handed: (amountCents?: number) => Promise<Handed>;
  /** The row of a payout in the CSV file, by column; null if the file does not contain it. */
  readonly inFile: (payoutId: string) => Promise<Readonly<Record<string, string>> | null>;
  readonly close: () => Promise<void>;
};
export type Handed = {
  readonly id: string;
  readonly creator: string;
  /** Sets the same destination account each time. */
  readonly sayAccount: () => Promise<void>;
  readonly mark: (word: 'paid' | 'failed' | 'returned', text: string) => Promise<ApiResponse>;
  readonly payouts: () => Promise<readonly Json[]>;
  /** Cents that are available, in a payout, and paid. */
  readonly book: () => Promise<readonly number[]>;
};

/** The manual equivalent of a provider guarantee. */
export type HandGuarantee = (page: PayoutsPage) => Promise<void>;

const account = 'DE89 3704 0044 0532 0130 00';

export async function openPayoutsPage(): Promise<PayoutsPage> {
  const office = await openOperatorPayouts();
  const { merchant } = office;
  const { url, platform, stop } = merchant.service;
  const inFile = async (payoutId: string) => {
    const headers = { authorization: `Bearer ${merchant.world.operator_key}`, accept: 'text/csv' };
    const text = await (await fetch(`${url}/api/v1/payouts`, { headers })).text();
    const [titles = [], ...rows] = text.split('\r\n').map((line) => line.split(','));
    const found = rows.find(([id]) => id === payoutId);
    return found === undefined ? null : Object.fromEntries(titles.map((title, place) => [title, found[place] ?? '']));
  };
  const handed = async (amount = 1_200): Promise<Handed> => {
    const { id: creator, creatorId } = await office.earner([amount], null);
    const sayAccount = async () =>
      void (await setPayoutMethod(platform.database, platform.secrets, {
        creatorId,
        to: { manual: account },
        at: platform.clock.now(),
        hasEarned: false,
        setBy: null,
      }));
    await sayAccount();
    const [payout] = (await office.runFor(creator)).payouts;
    return {
      id: payout.id,
      creator,
      sayAccount,
      mark: (word, text) =>
        merchant.api('POST', `/payouts/${payout.id}/mark-${word}`, word === 'paid' ? { reference: text } : { reason: text }),
      payouts: async () => (await merchant.api('GET', `/creators/${creator}/payouts`)).json.data,
      book: async () => {
        const { json } = await merchant.api('GET', `/creators/${creator}/balance`);
        return [json.available_cents, json.in_payout_cents, json.paid_cents];
      },
    };
  };
  return { office, handed, inFile, close: () => stop() };
}

export const manualOf = ({ office }: PayoutsPage) => {
  const manual = openProviders(office.merchant.service.platform).payoutProvider('manual');
  invariant(manual !== null, 'manual payouts are always available');
  return manual;
};

export const marksOnce: HandGuarantee = async ({ handed }) => {
  const { mark, payouts, book } = await handed();
  for (let time = 0; time < 2; time++)
    expect(await mark('paid', 'bank 4711')).toMatchObject({ status: 200, json: { state: 'paid', reference: 'bank 4711' } });
  expect(await book()).toEqual([0, 0, 1_200]);
  expect(await payouts()).toHaveLength(1);
};

export const marksOnceForTen: HandGuarantee = async ({ handed }) => {
  const { mark, book } = await handed();
  const ten = await Promise.all(Array.from({ length: 10 }, () => mark('paid', 'bank 4711')));
  expect(new Set(ten.map(({ status }) => status))).toEqual(new Set([200]));
  expect(await book()).toEqual([0, 0, 1_200]);
};

/** Two references mean two transfers: a person who enters the second may have paid twice and must see the first. */
export const refusesAnotherReference: HandGuarantee = async ({ handed }) => {
  const { mark, payouts, book } = await handed();
  await mark('paid', 'bank 4711');
  const other = await mark('paid', 'bank 4712');
  expect(other).toMatchObject({ status: 409, json: { reason: 'conflict', message: expect.stringContaining('bank 4711') } });
  expect(await payouts()).toMatchObject([{ state: 'paid', reference: 'bank 4711' }]);
  expect(await book()).toEqual([0, 0, 1_200]);
};

export const showsExactAmount: HandGuarantee = async ({ handed, inFile }) => {
  for (const amount of [1, 99, 12_345, 99_999_999]) {
    const { id, creator, mark, book } = await handed(amount);
    const row = { id, creator_id: creator, creator_name: 'Cora', destination: account, amount_cents: String(amount), currency: 'USD' };
    expect(await inFile(id)).toMatchObject({ ...row, state: 'sending', provider: 'manual', reference: id });
    expect((await mark('paid', `bank of ${amount}`)).json.amount_cents).toBe(amount);
    expect(await book()).toEqual([0, 0, amount]);
  }
};

/** However long the transfer takes, the person does not get a second payout for it. */
export const isHandedOverOnce: HandGuarantee = async ({ office, handed, inFile }) => {
  const { merchant } = office;
  const { id, payouts } = await handed();
  const [{ sent_at: sentAt }] = await payouts();
  await merchant.moveClock('25h');
  const all = (await merchant.api('GET', '/payouts?state=sending&provider=manual')).json.data;
  expect(all.find((payout: Json) => payout.id === id)).toMatchObject({ sent_at: sentAt, asked_at: sentAt });
  expect(await inFile(id)).toMatchObject({ destination: account });
  expect(await payouts()).toHaveLength(1);
};

export const failsWithReason: HandGuarantee = async ({ office, handed }) => {
  const { creator, mark, payouts, book } = await handed();
  const failed = await mark('failed', 'The bank does not know the account.');
  const failure = { code: 'by_hand', message: 'The bank does not know the account.' };
  expect(failed.json).toMatchObject({ state: 'failed', failure });
  expect(await book()).toEqual([1_200, 0, 0]);
  expect((await mark('failed', 'Once more.')).json).toMatchObject({ state: 'failed', failure });
  expect((await mark('paid', 'bank 4713')).status).toBe(409);
  expect((await office.runFor(creator)).payouts).toMatchObject([{ amount_cents: 1_200, state: 'sending' }]);
  expect((await payouts()).map(({ state }) => state)).toEqual(['sending', 'failed']);
};

/** A payout without a manual transfer has no destination in the file and cannot be marked as paid. */
export const marksNothingElse: HandGuarantee = async ({ office, inFile }) => {
  const { merchant, earner, runFor, settings } = office;
  const mark = (id: string) => merchant.api('POST', `/payouts/${id}/mark-paid`, { reference: 'bank 4711' });
  const nobodys = 'pay_06f2w0rsz5vdkb0m4s6fw0xq7c';
  expect(await inFile(nobodys)).toBeNull();
  expect((await mark(nobodys)).status).toBe(404);

  const [payout] = (await runFor((await earner([1_300], 'never')).id)).payouts;
  expect(await inFile(payout.id)).toMatchObject({ state: 'sending', destination: '' });
  expect((await mark(payout.id)).status).toBe(409);

  await settings({ second_person_above_cents: 0 });
  const [waiting] = (await runFor((await earner([1_300])).id)).payouts;
  expect(await inFile(waiting.id)).toMatchObject({ state: 'awaiting_second', destination: '' });
  expect((await mark(waiting.id)).status).toBe(409);
  await settings({});
};

/** The clock skips to the last day of the month, so that the payout run of the 1st pays all creators. */
async function overPayday({ merchant }: OperatorPayouts): Promise<void> {
  const { jobsDatabase, clock } = merchant.service.platform;
  const now = clock.now();
  await moveSandboxClock(jobsDatabase, clock, new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 0, 18)));
  await merchant.moveClock('13h');
}

/** Without a mark, the amount is neither paid nor available, and the payout remains in the file. */
export const silenceIsNoEnd: HandGuarantee = async ({ office, handed, inFile }) => {
  const { id, creator, mark, book } = await handed();
  await overPayday(office);
  expect((await office.runFor(creator)).payouts).toEqual([]);
  expect(await book()).toEqual([0, 1_200, 0]);
  expect(await inFile(id)).toMatchObject({ state: 'sending', destination: account });
  expect((await mark('paid', 'bank 4714')).json).toMatchObject({ state: 'paid' });
};

/** The process crashed after the intent was committed: the next run resumes the same payout. */
export const keepsAmountAfterCrash: HandGuarantee = async ({ office, handed, inFile }) => {
  const { id, creator, payouts, mark } = await handed();
  const { database } = office.merchant.service.platform;
  await database.run(sql`update payouts set provider_id = null where provider_id = ${id}`);
  await office.merchant.moveClock('1h');
  expect((await office.runFor(creator)).payouts).toEqual([]);
  expect(await inFile(id)).toMatchObject({ state: 'sending', destination: account, reference: id });
  expect(await payouts()).toHaveLength(1);
  expect((await mark('paid', 'bank 4715')).status).toBe(200);
};

/** A look-up reports a manual payout as pending, never as absent. */
export const isNeverAbsent: HandGuarantee = async (page) => {
  const { id, book } = await page.handed();
  const intent = { reference: id, instrument: account, description: '' };
  const manual = manualOf(page);
  for (const providerId of [null, id, 'another'])
    expect(await manual.lookUpPayout({ ...intent, amount: cents(1_200), providerId })).toEqual({ is: 'pending', providerId: id });
  expect(await book()).toEqual([0, 1_200, 0]);
};

/** A mark changes only one payout. */
export const marksItselfOnly: HandGuarantee = async ({ handed }) => {
  const [one, other] = [await handed(), await handed()];
  await one.mark('paid', 'bank 4716');
  expect(await one.book()).toEqual([0, 0, 1_200]);
  expect(await other.book()).toEqual([0, 1_200, 0]);
  // One bank transfer can pay several payouts, so the same reference is accepted.
  expect((await other.mark('paid', 'bank 4716')).status).toBe(200);
};

/** Manual payouts have no webhook events, and events of another provider do not change them. */
export const ignoresWebhooks: HandGuarantee = async ({ office, handed }) => {
  const { id, payouts, book } = await handed();
  const { url, platform } = office.merchant.service;
  const send = async (path: string, event: object) => {
    const body = JSON.stringify({ newsId: `sevt_${id}`, reference: id, ...event });
    const headers = { 'content-type': 'application/json', [sandboxSignatureHeader]: signSandboxEvent(platform.secrets, body, new Date()) };
    return (await fetch(`${url}${path}`, { method: 'POST', headers, body })).status;
  };
  const succeeded = { about: 'payout', outcome: { is: 'succeeded', providerId: 'sbx_of_nobody' } };
  const declined = { about: 'payout', outcome: { is: 'declined', providerId: 'sbx_of_nobody', code: 'no', message: 'No.' } };
  const returned = { about: 'payout_returned', at: new Date().toISOString(), why: 'It came back.' };
  expect(await send('/api/v1/providers/manual/news', succeeded)).toBe(404);
  for (const event of [succeeded, declined, returned]) {
    expect(await send(sandboxWebhookPath, event)).toBe(200);
    expect(
      (await payouts()).map(({ state }) => state),
      JSON.stringify(event),
    ).toEqual(['sending']);
  }
  expect(await book()).toEqual([0, 1_200, 0]);
};

export const comesBackByHand: HandGuarantee = async ({ office, handed }) => {
  const { creator, mark, book, sayAccount } = await handed();
  expect((await mark('returned', 'account closed')).status).toBe(409);
  await mark('paid', 'bank 4717');
  for (let time = 0; time < 2; time++) {
    const back = await mark('returned', 'account closed');
    expect(back.json).toMatchObject({ state: 'returned', failure: { code: 'returned', message: 'account closed' } });
  }
  expect((await mark('paid', 'bank 4717')).status).toBe(409);
  expect(await book()).toEqual([1_200, 0, 0]);
  expect((await office.runFor(creator)).payouts).toEqual([]);
  await sayAccount();
  expect((await office.runFor(creator)).payouts).toMatchObject([{ amount_cents: 1_200, state: 'sending' }]);
};

export const isPendingUntilMarked: HandGuarantee = async ({ handed }) => {
  for (const [word, after] of [
    ['paid', [0, 0, 1_200]],
    ['failed', [1_200, 0, 0]],
  ] as const) {
    const { mark, book } = await handed();
    expect(await book()).toEqual([0, 1_200, 0]);
    expect((await mark(word, 'as the bank says')).status).toBe(200);
    expect(await book()).toEqual(after);
  }
};
