import { withClick } from '../../clicks/landing-url.ts';
import { inspectPage } from '../../capture/inspect-page.ts';
import { type KeyRing, openKeyRing } from '../../clicks/signing-keys.ts';
import { insertTestLink, markTestLinkOpened } from '../../clicks/test-links-sql.ts';
import { mintClickId } from '../../contract/click-id.ts';
import { type Id, newId, publicId, readPublicId } from '../../core/ids.ts';
import { invariant } from '../../core/invariant.ts';
import { hourMs, minuteMs, plusDays } from '../../core/time.ts';
import { applyToProgram } from '../../creators/apply-to-program.ts';
import { createCreator } from '../../creators/create-creator.ts';
import { createLink } from '../../creators/links.ts';
import { listLinks } from '../../creators/links-sql.ts';
import { changeMember } from '../../creators/members.ts';
import type { Database } from '../../db/database.ts';
import { isRefusal, type Refusal } from '../../http/responses.ts';
import { insertCheck, saveCheckResult } from '../../integration/page-checks-sql.ts';
import { listPostbackKeys, touchPostbackKey } from '../../merchants/postback-keys-sql.ts';
import { updateQuestions } from '../../merchants/programs-sql.ts';
import type { AuditAction } from '../../people/audit-actions.ts';
import { recordAuditEntry } from '../../people/audit.ts';
import { findUserByEmail } from '../../people/users-sql.ts';
import type { Platform } from '../../runtime/platform.ts';
import { openDemoStore, type DemoLink, type DemoStore } from './demo-store.ts';
import type { seedWorld } from './seed.ts';
import { answersOf, applicants, brewingGear, creators, questions, type Placement, type Product, type StoryCreator } from './story.ts';

type World = Awaited<ReturnType<typeof seedWorld>>;

/** The same platform at another time. */
export type Past = { readonly platform: Platform; readonly moveTo: (moment: Date) => void };

export type YearLink = DemoLink & {
  readonly creator: StoryCreator;
  readonly placement: Placement;
  /** Visits on an average day. */
  readonly pull: number;
  readonly products: readonly Product[] | null;
};

export type Subscription = { readonly id: string; readonly boundAt: Date; invoices: number; isEnded: boolean };
type Event = { readonly at: Date; readonly run: () => Promise<void>; readonly sendsEmails?: boolean };
export type Sale = { readonly orderId: string; readonly link: YearLink };

export type Year = {
  readonly storeId: Id<'store'>;
  readonly programId: Id<'prog'>;
  readonly store: { readonly id: string; readonly siteUrl: string };
  readonly database: Database;
  readonly postbackKeyId: Id<'pbkey'>;
  readonly merchant: { readonly actor: string; readonly name: string };
  /** The person of the first creator, who signs in. */
  readonly firstCreatorActor: string;
  readonly creatorIds: Array<Id<'crt'>>;
  /** The people of the history, whose emails are dated back. */
  readonly emails: string[];
  readonly links: YearLink[];
  readonly ring: KeyRing;
  readonly past: DemoStore;
  readonly subscriptions: Subscription[];
  /** What is still to come, in no order. */
  readonly agenda: Event[];
  /** As a person of the store would leave in the audit log. */
  readonly audit: (at: Date, action: AuditAction, path: string, details: object) => Promise<void>;
  /** The latest orders, newest last. */
  readonly sales: Sale[];
  orderNumber: number;
  signUps: number;
  /** This order is not refunded, because its dispute is to stay open. */
  disputedOrderId: string | null;
  readonly close: () => void;
};

const firstOrderNumber = 18_400;

/** The store of the seed, with the links of its first creator. */
export async function openYear(platform: Platform, world: World, openedAt: Date): Promise<Year> {
  const storeId = readPublicId('store', world.store.id);
  const programId = readPublicId('prog', world.program.id);
  const creatorId = readPublicId('crt', world.creator.id);
  invariant(storeId && programId && creatorId, 'the seed names what it made');
  const { database } = platform;
  const [key] = await listPostbackKeys(database, storeId, { after: null, limit: 1 });
  const user = await findUserByEmail(database, world.logins.merchant.email);
  const creatorUser = await findUserByEmail(database, world.logins.creator.email);
  invariant(key && user && creatorUser, 'the seed made a postback key, an owner, and a creator who signs in');
  const ring = await openKeyRing(platform);
  const { postbackKeyId } = key;
  const merchant = { actor: publicId('user', user.userId), name: user.name };
  const store = { id: world.store.id, siteUrl: world.store.site_url };
  const audit: Year['audit'] = (at, action, path, details) =>
    recordAuditEntry(database, {
      at,
      actor: merchant.actor,
      actorName: merchant.name,
      storeId,
      creatorId: null,
      action,
      subject: `/api/v1/stores/${store.id}${path}`,
      details,
      requestId: newId(at),
      addressHash: null,
    });
  const past = openDemoStore(platform, ring, { storeId, postbackKeyId });
  const year: Year = {
    database,
    storeId,
    programId,
    store,
    postbackKeyId,
    merchant,
    firstCreatorActor: publicId('user', creatorUser.userId),
    creatorIds: [creatorId],
    emails: [world.logins.merchant.email, world.logins.creator.email],
    links: [],
    ring,
    past,
    subscriptions: [],
    agenda: [],
    audit,
    sales: [],
    orderNumber: firstOrderNumber,
    signUps: 0,
    disputedOrderId: null,
    close: ring.close,
  };
  await auditOpening(year, world, { at: platform.clock.now(), openedAt });
  await updateQuestions(
    database,
    { storeId, programId },
    questions.map(({ choices, ...question }) => ({ ...question, choices: [...choices] })),
  );
  await openFirstCreator(year, world, openedAt);
  return year;
}

async function auditOpening({ audit, store }: Year, world: World, { at, openedAt }: { readonly at: Date; readonly openedAt: Date }) {
  await audit(at, 'store.create', '', { site_url: store.siteUrl });
  await audit(at, 'payment_method.set', '/payment-method', { sandbox: 'ok' });
  await audit(at, 'postback_key.create', '/postback-keys', {});
  for (const [programId, pays] of [
    [world.program.id, 'order'],
    [world.per_product.program_id, 'product'],
  ]) {
    const program = `/programs/${programId}`;
    await audit(openedAt, 'program.create', program, {});
    await audit(openedAt, 'terms.add', `${program}/terms`, { pays });
    await audit(openedAt, 'program.publish', `${program}/publish`, {});
    await audit(openedAt, 'member.add', `${program}/members`, { creator_id: world.creator.id });
    await audit(openedAt, 'link.create', `${program}/links`, { creator_id: world.creator.id });
  }
  await audit(openedAt, 'program.questions', `/programs/${world.program.id}/questions`, {});
}

/** The merchant added the first creator, whose links the seed printed. */
async function openFirstCreator(year: Year, world: World, openedAt: Date): Promise<void> {
  const { database, storeId, programId, creatorIds, links } = year;
  const [creatorId] = creatorIds;
  const [creator] = creators;
  const gearProgramId = readPublicId('prog', world.per_product.program_id);
  invariant(creatorId && gearProgramId, 'the seed names what it made');
  const firstLink = async (of: Id<'prog'>) => {
    const [link] = await listLinks(database, { storeId, programId: of }, { after: null, limit: 1 });
    invariant(link, 'the seed made a link in each program');
    return { storeId, programId: of, creatorId, linkNumber: link.linkNumber, creator };
  };
  const [main] = creator.placements;
  const pull = pullOf(creator);
  links.push({ ...(await firstLink(programId)), placement: main, pull, products: null });
  links.push({ ...(await firstLink(gearProgramId)), placement: main, pull: pull / 4, products: brewingGear });
  await addProductLinks(year, { creator, creatorId, at: openedAt });
}

const pullOf = ({ pull, placements }: StoryCreator): number => pull / placements.length;

type NewLinks = { readonly creator: StoryCreator; readonly creatorId: Id<'crt'>; readonly at: Date };

/** A link for each product that the creator recommends; the first placement uses the main link. */
const addProductLinks = async (year: Year, { creator, ...of }: NewLinks): Promise<void> => {
  for (const placement of creator.placements.slice(1)) await addLink(year, placement, { creator, ...of });
};

async function addLink(year: Year, placement: Placement, { creator, creatorId, at }: NewLinks): Promise<void> {
  const { database, storeId, programId, store, links } = year;
  const destinationUrl = placement.to === null ? null : new URL(placement.to.path, store.siteUrl).href;
  const words = [creator.name.split(' ')[0]?.toLowerCase(), placement.to?.path.slice(1), store.id.slice(-4)];
  const code = words.filter((word) => word !== undefined).join('-');
  const link = made(await database.transaction((tx) => createLink(tx, { storeId, programId, creatorId, destinationUrl, code, at })));
  links.push({ storeId, programId, creatorId, linkNumber: link.linkNumber, creator, placement, pull: pullOf(creator), products: null });
}

/** The other creators apply during the history and are approved on the same day; the last applications are still open at its end. */
export function planCreators(year: Year, { platform }: Past, { days, begin }: { readonly days: number; readonly begin: Date }): void {
  const { agenda } = year;
  const noon = (day: number) => new Date(plusDays(begin, day).getTime() + 12 * hourMs);
  for (const creator of creators.slice(1)) {
    const at = noon(Math.floor(creator.joinedAfter * days));
    agenda.push({ at, run: () => joinProgram(year, platform, { creator, at }) });
  }
  for (const [place, applicant] of applicants.entries()) {
    const at = noon(Math.max(0, days - 1 - 2 * place));
    agenda.push({ at, run: async () => void (await apply(year, platform, applicant, at)) });
  }
}

type Applicant = Pick<StoryCreator, 'name' | 'channel' | 'audience'>;

async function apply({ storeId, programId, store, emails }: Year, { database }: Platform, { name, ...about }: Applicant, at: Date) {
  const email = `${name.toLowerCase().replace(' ', '.')}-${store.id.slice(-6)}@creators.example`;
  emails.push(email);
  return database.transaction(async (tx) => {
    const { creatorId } = await createCreator(tx, { name, email, sandboxMethod: 'ok', at });
    return made(await applyToProgram(tx, { storeId, programId, creatorId, answers: answersOf(about), at }));
  });
}

async function joinProgram(year: Year, platform: Platform, { creator, at }: { readonly creator: StoryCreator; readonly at: Date }) {
  const { database, creatorIds, audit } = year;
  const member = await apply(year, platform, creator, at);
  const approvedAt = new Date(at.getTime() + 3 * hourMs);
  made(await database.transaction((tx) => changeMember(tx, { ...member, status: 'approved', at: approvedAt })));
  const { creatorId } = member;
  const path = `/programs/${publicId('prog', member.programId)}/members/${publicId('mem', member.memberId)}`;
  await audit(approvedAt, 'member.change', path, { creator_id: publicId('crt', creatorId), status: 'approved' });
  creatorIds.push(creatorId);
  const linkedAt = new Date(approvedAt.getTime() + hourMs);
  for (const placement of creator.placements) await addLink(year, placement, { creator, creatorId, at: linkedAt });
}

function made<Made>(result: Made | Refusal): Made {
  invariant(!isRefusal(result), 'the history asks only for what is allowed');
  return result;
}

/** What a developer of the store does once, by the same functions: tag, test link, test order, and its refund. */
export async function sendTestOrder(year: Year, { platform, moveTo }: Past, testedAt: Date): Promise<void> {
  const { database, config } = platform;
  const { storeId, store, ring, past } = year;
  const begin = platform.clock.now();
  const at = (minutes: number) => new Date(begin.getTime() + minutes * minuteMs);
  const html = `<!doctype html><html><head><script src="${config.baseUrl}/api/pn/sdk/v1.js" defer></script></head><body>Store</body></html>`;
  const page = { url: store.siteUrl, status: 200, headers: { 'content-type': 'text/html' }, html, isCut: false };
  const found = { ...inspectPage(page, config.baseUrl), status: 200, endedAt: store.siteUrl, contentSecurityPolicy: null };
  const checkId = newId<'ichk'>(at(1));
  await insertCheck(database, { storeId, checkId, at: at(1), requestedAt: at(1), pageUrl: store.siteUrl });
  await saveCheckResult(database, { storeId, checkId }, found);

  const { text, clickId } = mintClickId({ kind: 'test', at: at(2), linkNumber: 0n, keys: ring.keys() });
  const testLinkId = newId<'tlink'>(at(2));
  const url = withClick(store.siteUrl, text);
  await insertTestLink(database, { storeId, testLinkId, clickId, url, createdAt: at(2), expiresAt: plusDays(at(2), 1) });
  await year.audit(at(2), 'test_link.create', '/test-links', {});
  await markTestLinkOpened(database, { storeId, testLinkId }, at(3));
  moveTo(testedAt);
  const testOrder = { order_id: 'test-1', click_id: text, currency: 'USD', order_subtotal_cents: 1_850, test: true };
  await past.order({ ...testOrder, occurred_at: at(4).toISOString() }, platform.clock.now());
  await past.refund({ order_id: 'test-1', reason: 'test' }, at(6));
  await touchPostbackKey(database, { storeId, postbackKeyId: year.postbackKeyId }, at(6));
}
