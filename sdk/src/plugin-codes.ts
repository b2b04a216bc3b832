import type { DiscountCode } from './api-schema.ts';
import type { Connected } from './plugin-connection.ts';

/** A promotion of the store's own engine. */
type Promotion = {
  readonly id: string;
  /** The discount code of a creator that it was linked to. */
  readonly codeId: string | null;
  /** Whether the plugin created it: the plugin activates, deactivates, and removes only these. */
  readonly isCreated: boolean;
  readonly isActive: boolean;
};

/** What a plugin does with the promotions of its engine. */
export type Promotions = {
  readonly find: (code: DiscountCode) => Promise<Promotion | null>;
  readonly link: (id: string, code: DiscountCode) => Promise<void>;
  readonly setActive: (id: string, isActive: boolean) => Promise<void>;
  /** Null if the plugin creates no promotions. */
  readonly create: ((code: DiscountCode) => Promise<void>) | null;
};

export type Synced = { readonly linked: number; readonly created: number; readonly changed: number };

const pageSize = 100;

/**
 * Links the promotions that have the name of a creator's discount code, creates missing ones, and activates or deactivates those that the
 * plugin created with their codes.
 */
export async function syncCodes({ api, storeId }: Connected, promotions: Promotions): Promise<Synced> {
  const count = { linked: 0, created: 0, changed: 0 };
  for await (const code of api.each('/stores/{store}/codes', { path: { store: storeId }, query: { limit: pageSize } })) {
    const done = code.shared ? null : await syncCode(promotions, code);
    if (done !== null) count[done] += 1;
  }
  return count;
}

async function syncCode({ find, link, setActive, create }: Promotions, code: DiscountCode): Promise<keyof Synced | null> {
  const promotion = await find(code);
  const isActive = code.status === 'active';
  if (promotion === null) {
    if (create === null || !isActive) return null;
    await create(code);
    return 'created';
  }
  if (promotion.codeId !== code.id) {
    await link(promotion.id, code);
    return 'linked';
  }
  if (!promotion.isCreated || promotion.isActive === isActive) return null;
  await setActive(promotion.id, isActive);
  return 'changed';
}

type Owner = { readonly creator_id: string; readonly program_id: string };

/** The other direction: a code of the store becomes the discount code of a creator. */
export const giveCode = ({ api, storeId }: Connected, code: string, { creator_id, program_id }: Owner): Promise<DiscountCode> =>
  api.post('/stores/{store}/programs/{program}/codes', { path: { store: storeId, program: program_id }, body: { code, creator_id } });

export const codeOf = ({ api, storeId }: Connected, code: string): Promise<DiscountCode> =>
  api.get('/stores/{store}/codes/{code}', { path: { store: storeId, code } });

/** The creators that a code can be given to. */
export async function creatorsOf({ api, storeId }: Connected) {
  const { data } = await api.get('/stores/{store}/creators', { path: { store: storeId }, query: { status: 'approved', limit: pageSize } });
  return data.map(({ creator_id, creator_name, program_id, program_name }) => ({ creator_id, creator_name, program_id, program_name }));
}
