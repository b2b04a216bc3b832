import { expect } from 'vitest';
import { expectSuccess } from './billing.ts';
import { openMerchantAlone, type ApiResponse, type Json, type Merchant } from './merchant.ts';
import { reviewerOf, type ReviewPath } from './review.ts';

/** The program of the seed's store with its only member, without the queue. */
export type OpenedProgram = {
  readonly merchant: Merchant;
  /** Paths of the API. */
  readonly store: string;
  readonly program: string;
  readonly member: Json;
  readonly addTerms: (terms: object) => Promise<ApiResponse>;
  /** The commission that a postback named. */
  readonly commissionOf: (reply: { readonly json: Json }) => Promise<Json>;
  /** The commission of a new order of 100.00 USD. */
  readonly sell: (fields?: object) => Promise<Json>;
  /** Reviews commissions by their IDs, each with success. */
  readonly decide: (path: ReviewPath, ids: readonly string[]) => Promise<void>;
};

export async function openProgram(): Promise<OpenedProgram> {
  const merchant = await openMerchantAlone();
  const store = `/stores/${merchant.world.store.id}`;
  const program = `${store}/programs/${merchant.world.program.id}`;
  const commissionOf: OpenedProgram['commissionOf'] = async ({ json }) =>
    (await merchant.api('GET', `${store}/commissions/${json.conversion_id}`)).json;
  return {
    merchant,
    store,
    program,
    member: (await merchant.api('GET', `${program}/members`)).json.data[0],
    addTerms: (terms) => merchant.api('POST', `${program}/terms`, terms),
    commissionOf,
    sell: async (fields = {}) =>
      commissionOf(expectSuccess(await merchant.convert(await merchant.order({ order_subtotal_cents: 10_000, ...fields })))),
    decide: async (path, ids) => expect(await reviewerOf(merchant).results(path, ids)).toEqual(ids.map(() => 'ok')),
  };
}
