import { randomBytes } from 'node:crypto';
import { createCreator } from '../../creators/create-creator.ts';
import { createLink, linkUrl } from '../../creators/links.ts';
import { addMember } from '../../creators/members.ts';
import { createPostbackKey } from '../../merchants/postback-keys.ts';
import type { TermsDraft } from '../../merchants/decide-terms.ts';
import { setPaymentMethod } from '../../merchants/payment-methods-sql.ts';
import { noSubjects } from '../../merchants/decide-terms.ts';
import { addTerms } from '../../merchants/program-terms.ts';
import { createProgram, publishProgram } from '../../merchants/programs.ts';
import { turnTrackingOn, type Store } from '../../merchants/stores-sql.ts';
import { createStore } from '../../merchants/stores.ts';
import { createApiKey } from '../../people/api-keys.ts';
import { operatorParty } from '../../people/party.ts';
import { hashPassword } from '../../people/passwords.ts';
import { insertUser, updateCreator } from '../../people/users-sql.ts';
import type { Transaction } from '../../db/database.ts';
import { isRefusal, type Refusal } from '../../http/responses.ts';
import { newId, publicId, type Id } from '../../core/ids.ts';
import { invariant } from '../../core/invariant.ts';
import type { Platform } from '../../runtime/platform.ts';
import { realNow } from '../../core/time.ts';

const attributionDays = 30;
const holdDays = 30;
const orderBasisPoints = 1_000;
const subscriptionRate = { basis_points: 2_000, max_invoices: 12 };
const shareBasisPoints = 500;
const flatCents = 250;

/** The IDs of the products that the terms name. */
type WorldProducts = {
  readonly plan: { readonly product_id: string; readonly price_id: string };
  /** Pays a share of its price. */
  readonly share: string;
  /** Pays a flat amount. */
  readonly flat: string;
};
type WorldName = 'operator' | 'merchant' | 'creator' | 'store' | 'otherStore' | 'program' | 'perProduct' | 'otherProgram';
export type WorldNames = Readonly<Record<WorldName, string>> & {
  /** The beginnings of the email addresses. */
  readonly mailboxes: Readonly<Record<'operator' | 'merchant' | 'creator', string>>;
  /** The beginnings of the addresses of the two stores. */
  readonly hosts: readonly [string, string];
  readonly products: WorldProducts;
};

/**
 * By default everything happens at the current time, and names tell worlds apart. A history has its own names, and puts the test order and
 * the publication of the programs later.
 */
export type WorldStory = { readonly testedAt?: Date; readonly openedAt?: Date; readonly names?: WorldNames };
type Hash = typeof hashPassword;

/** A fresh, separate world, as a script finds it printed: two stores that can take orders, people who can sign in, no orders yet. */
export async function seedWorld(platform: Platform, story: WorldStory = {}, hash: Hash = hashPassword) {
  const at = platform.clock.now();
  const word = randomBytes(4).toString('hex');
  const { testedAt = at, openedAt = at, names = plainNames(word) } = story;
  // Before the transaction: a password takes its time by design.
  const newcomers = {
    operator: await seedPerson(`${names.mailboxes.operator}-${word}`, names.operator, hash),
    merchant: await seedPerson(`${names.mailboxes.merchant}-${word}`, names.merchant, hash),
    creator: await seedPerson(`${names.mailboxes.creator}-${word}`, names.creator, hash),
  };
  return platform.database.transaction(async (tx) => {
    const people = await createPeople(tx, newcomers, at);
    const { merchantId, creatorId } = people;
    const [host, otherHost] = names.hosts;
    const demo = { name: names.store, siteUrl: `https://${host}-${word}.example`, ownerId: merchantId };
    const otherDemo = { name: names.otherStore, siteUrl: `https://${otherHost}-${word}.example`, ownerId: null };
    const store = await createSeedStore(tx, { ...demo, at, testedAt });
    const other = await createSeedStore(tx, { ...otherDemo, at, testedAt });
    const opened = { creatorId, at: openedAt };
    const [order, product] = [perOrderOf(names.products), perProductOf(names.products)];
    const programs = {
      program: await createSeedProgram(tx, store, { name: names.program, ...opened, ...order }),
      perProduct: await createSeedProgram(tx, store, { name: names.perProduct, ...opened, ...product }),
      other: await createSeedProgram(tx, other, { name: names.otherProgram, ...opened, ...order }),
    };
    return describeWorld(platform, { people, store, other, programs, newcomers, products: names.products });
  });
}

const plainProducts: WorldProducts = {
  plan: { product_id: 'plan-basic', price_id: 'price-monthly' },
  share: 'sku-a',
  flat: 'sku-b',
};

const plainNames = (word: string): WorldNames => ({
  mailboxes: { operator: 'operator', merchant: 'merchant', creator: 'creator' },
  hosts: ['shop', 'other'],
  products: plainProducts,
  operator: 'Olive Operator',
  merchant: 'Mara Merchant',
  creator: 'Cora Creator',
  store: `Shop ${word}`,
  otherStore: `Other shop ${word}`,
  program: 'Friends of the shop',
  perProduct: 'Per product',
  otherProgram: 'Friends of the other shop',
});

type SeedPerson = { readonly name: string; readonly email: string; readonly password: string; readonly hash: string };
type SeedPeople = { readonly operator: SeedPerson; readonly merchant: SeedPerson; readonly creator: SeedPerson };

async function seedPerson(mailbox: string, name: string, hashOf: Hash): Promise<SeedPerson> {
  const password = randomBytes(12).toString('base64url');
  const hash = await hashOf(password);
  invariant(hash !== null, 'one password at a time can be hashed');
  return { name, email: `${mailbox}@tributary.example`, password, hash };
}

async function createPeople(tx: Transaction, { operator, merchant, creator }: SeedPeople, at: Date) {
  const operatorId = await createPerson(tx, operator, { isOperator: true });
  const merchantId = await createPerson(tx, merchant, { isOperator: false });
  const personId = await createPerson(tx, creator, { isOperator: false });
  const { key } = await createApiKey(tx, { name: 'Seed', party: operatorParty, scopes: [], madeBy: operatorId });
  const { creatorId } = await createCreator(tx, { name: creator.name, email: creator.email, sandboxMethod: 'ok', at });
  await updateCreator(tx, { userId: personId, creatorId });
  return { operatorKey: key, merchantId, creatorId };
}

type SeededProgram = { readonly programId: Id<'prog'>; readonly code: string };
type SeededWorld = {
  readonly people: Awaited<ReturnType<typeof createPeople>>;
  readonly store: StoreWithKey;
  readonly other: StoreWithKey;
  readonly programs: { readonly program: SeededProgram; readonly perProduct: SeededProgram; readonly other: SeededProgram };
  readonly newcomers: SeedPeople;
  readonly products: WorldProducts;
};

/** The names are those that scripts of users rely on. */
function describeWorld({ config }: Platform, { people, store, other, programs, newcomers, products }: SeededWorld) {
  const url = ({ code }: SeededProgram) => linkUrl(config.baseUrl, code);
  const login = ({ email, password }: SeedPerson) => ({ email, password });
  const { program, perProduct } = programs;
  const rules = [
    { product_id: products.share, basis_points: shareBasisPoints },
    { product_id: products.flat, flat_cents: flatCents },
  ] as const;
  return {
    base_url: config.baseUrl,
    operator_key: people.operatorKey,
    store: { ...describeStore(store), site_url: store.siteUrl },
    program: {
      id: publicId('prog', program.programId),
      attribution_days: attributionDays,
      hold_days: holdDays,
      basis_points: orderBasisPoints,
    },
    subscription: { ...products.plan, ...subscriptionRate },
    creator: { id: publicId('crt', people.creatorId) },
    link: { code: program.code, url: url(program) },
    per_product: { program_id: publicId('prog', perProduct.programId), link_url: url(perProduct), rules },
    other_store: { ...describeStore(other), link_url: url(programs.other) },
    logins: { operator: login(newcomers.operator), merchant: login(newcomers.merchant), creator: login(newcomers.creator) },
  };
}

type StoreWithKey = Store & { readonly postbackKey: string };
const describeStore = ({ storeId, trackingKey, postbackKey }: StoreWithKey) => ({
  id: publicId('store', storeId),
  tracking_key: trackingKey,
  postback_key: postbackKey,
});

type Rules = Omit<TermsDraft, 'effectiveFrom'>;
export const perOrderOf = ({ plan }: WorldProducts): Rules => ({
  pays: 'order',
  orderRules: [{ productId: null, basisPoints: orderBasisPoints, flatCents: null }],
  subscriptionRules: [
    {
      productId: plan.product_id,
      priceId: plan.price_id,
      basisPoints: subscriptionRate.basis_points,
      flatCents: null,
      maxInvoices: subscriptionRate.max_invoices,
      maxMonths: undefined,
    },
  ],
});
export const perOrder: Rules = perOrderOf(plainProducts);
const perProductOf = ({ share, flat }: WorldProducts): Rules => ({
  pays: 'product',
  orderRules: [
    { productId: share, basisPoints: shareBasisPoints, flatCents: null },
    { productId: flat, basisPoints: null, flatCents },
  ],
  subscriptionRules: undefined,
});

type NewStore = {
  readonly name: string;
  readonly siteUrl: string;
  readonly ownerId: Id<'user'> | null;
  readonly at: Date;
  readonly testedAt: Date;
};

/** Ready to take orders: tracking on, and a payment method that works. */
async function createSeedStore(tx: Transaction, { name, siteUrl, ownerId, at, testedAt }: NewStore): Promise<StoreWithKey> {
  const store = expectCreated(await createStore(tx, { name, siteUrl, ownerId, at }));
  const { key } = expectCreated(await createPostbackKey(tx, { storeId: store.storeId, at }));
  await turnTrackingOn(tx, store.storeId, testedAt);
  await setPaymentMethod(tx, { storeId: store.storeId, provider: 'sandbox', instrument: 'ok', at });
  return { ...store, postbackKey: key };
}

type NewProgram = Rules & { readonly name: string; readonly creatorId: Id<'crt'>; readonly at: Date };

async function createSeedProgram(tx: Transaction, store: Store, { name, creatorId, at, ...terms }: NewProgram) {
  const { storeId, siteUrl } = store;
  const program = expectCreated(await createProgram(tx, { storeId, name, landingUrl: siteUrl, attributionDays, holdDays, at }));
  expectCreated(await addTerms(tx, program, { ...terms, effectiveFrom: undefined }, { subjects: noSubjects, at }));
  expectCreated(await publishProgram(tx, program, at));
  expectCreated(await addMember(tx, { storeId, programId: program.programId, creatorId, at }));
  const link = expectCreated(
    await createLink(tx, { storeId, programId: program.programId, creatorId, destinationUrl: null, code: null, at }),
  );
  return { programId: program.programId, code: link.code };
}

async function createPerson(tx: Transaction, { name, email, hash }: SeedPerson, { isOperator }: { readonly isOperator: boolean }) {
  const now = realNow();
  const userId = newId<'user'>(now);
  await insertUser(tx, { userId, email, name, passwordHash: hash, isOperator, now });
  return userId;
}

/** What the seed makes is right by construction: a refusal here is our own mistake. */
function expectCreated<Made>(result: Made | Refusal): Made {
  if (isRefusal(result)) throw new Error(`the seed was refused: ${result.message} ${JSON.stringify(result.errors)}`);
  return result;
}
