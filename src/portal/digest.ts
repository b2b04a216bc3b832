import { findCreator } from '../creators/creators-sql.ts';
import { storesOfCreator } from '../creators/members-sql.ts';
import { unwantedMails, type MailKind } from '../creators/wanted-mails-sql.ts';
import { allStores, storesById, type Store } from '../merchants/stores-sql.ts';
import { keepMail } from '../notify/mail.ts';
import type { Transaction } from '../platform/database/database.ts';
import type { Page } from '../platform/http/page.ts';
import { firstIdAt, publicId, type Id } from '../platform/ids.ts';
import { noCents } from '../platform/money.ts';
import { must } from '../platform/must.ts';
import type { Platform } from '../platform/platform.ts';
import { tenantFailures, type TenantFailures } from '../platform/tenant-failures.ts';
import { minuteMs, plusDays } from '../platform/time.ts';
import { digestLetter, isNews, type StoreNews } from './digest-letter.ts';
import { approvedSince, creatorsWithNews, keepTold, lockTold, openedSince, refusedSince, type Span } from './digest-sql.ts';

/** An id is minted a little before its row is committed: what is younger than this is told tomorrow. */
const settledMs = 10 * minuteMs;
/** A service that was away longer does not tell of what is older. */
const lookBackDays = 3;
const storesPerRound = 1_000;
const creatorsPerRound = 1_000;
const roundsMax = 10_000;
const refusedNamed = 10;

/**
 * The daily job: one mail to each creator with new, approved or refused commissions, at most one a day. Up to when each was told
 * is kept with the mail, so that a death in between tells nobody twice, and whoever was not told is told the next day.
 */
export async function tellCreatorsOfSales(platform: Platform, now: Date): Promise<void> {
  const until = new Date(now.getTime() - settledMs);
  const span = { from: firstIdAt(plusDays(until, -lookBackDays)), to: firstIdAt(until) };
  const failures = tenantFailures(platform.log, 'The daily mail about sales failed');
  let after: string | null = null;
  for (let round = 0; round < roundsMax; round++) {
    const page: Page = { after: after === null ? null : [after], limit: storesPerRound };
    // The list gives one more than the page, and that one begins the next.
    const stores: readonly Store[] = (await allStores(platform.database, page)).slice(0, storesPerRound);
    for (const { storeId } of stores)
      await failures.run(publicId('store', storeId), () => tellOfStore(platform, storeId, { span, until, failures }));
    if (stores.length < storesPerRound) break;
    after = stores.at(-1)?.storeId ?? null;
  }
  failures.raise();
}

type Told = { readonly span: Span; readonly until: Date; readonly failures: TenantFailures };

/** Whoever has news in several stores is told of all of them with the first, and has none left at the others. */
async function tellOfStore(platform: Platform, storeId: Id<'store'>, told: Told): Promise<void> {
  let after: Id<'crt'> | null = null;
  for (let round = 0; round < roundsMax; round++) {
    const stretch = { after, limit: creatorsPerRound };
    const creatorIds: ReadonlyArray<Id<'crt'>> = await creatorsWithNews(platform.database, storeId, told.span, stretch);
    for (const creatorId of creatorIds)
      await told.failures.run(publicId('crt', creatorId), () =>
        platform.database.transaction((tx) => tellCreator(tx, platform, creatorId, told)),
      );
    if (creatorIds.length < creatorsPerRound) return;
    after = creatorIds.at(-1) ?? null;
  }
}

async function tellCreator(tx: Transaction, { config, secrets }: Platform, creatorId: Id<'crt'>, { span, until }: Told): Promise<void> {
  const toldUntil = await lockTold(tx, creatorId);
  if (toldUntil !== null && toldUntil >= until) return;
  const from = toldUntil === null ? span.from : later(span.from, firstIdAt(toldUntil));
  const creator = await findCreator(tx, creatorId);
  must(creator !== null, 'creators are never deleted');
  const news = await newsOf(tx, creatorId, { from, to: span.to });
  await keepTold(tx, creatorId, until);
  if (news.length === 0) return;
  const letter = digestLetter(news, `${config.baseUrl}/creator/sales`);
  await keepMail(tx, secrets, { to: creator.email, letter, storeId: null });
}

const later = (one: Id, other: Id): Id => (one > other ? one : other);

/** Only what the creator wants to hear of is asked. */
async function newsOf(tx: Transaction, creatorId: Id<'crt'>, span: Span): Promise<readonly StoreNews[]> {
  const off = await unwantedMails(tx, creatorId);
  const wants = (kind: MailKind) => !off.has(kind);
  const storeIds = await storesOfCreator(tx, creatorId);
  const stores = await storesById(tx, storeIds);
  const all: StoreNews[] = [];
  for (const storeId of storeIds) {
    const asked = { storeId, creatorId, ...span };
    const refused = wants('refused') ? await refusedSince(tx, asked, refusedNamed + 1) : [];
    all.push({
      storeName: stores.get(storeId)?.name ?? '',
      opened: wants('new_commissions') ? await openedSince(tx, asked) : none,
      approved: wants('approved') ? await approvedSince(tx, asked) : none,
      refused: refused.slice(0, refusedNamed),
      hasMoreRefused: refused.length > refusedNamed,
    });
  }
  return all.filter(isNews);
}

const none = { count: 0n, amount: noCents };
