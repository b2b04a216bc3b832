import { publicId, type Id } from '../core/ids.ts';
import { invariant } from '../core/invariant.ts';
import type { Transaction } from '../db/database.ts';
import { boundedKeysetPages, itself } from '../db/keyset-pages.ts';
import { findStore } from '../merchants/stores-sql.ts';
import { emailMessage } from '../messages/format-message.ts';
import type { EmailContent } from '../notify/render-email.ts';
import { enqueueEmail } from '../people/enqueue-email.ts';
import { roleHasPermission } from '../people/permissions.ts';
import { listTeamMembers } from '../people/team-sql.ts';
import { tenantFailures } from '../queue/tenant-failures.ts';
import type { Platform } from '../runtime/platform.ts';
import {
  findFirstUnsentNotice,
  listStoresWithUnsentNotices,
  lockUnsentNotices,
  markSent,
  type UnsentNotice,
} from './budget-notices-sql.ts';

const storesPerPage = 1_000;
const pagesMax = 10_000;

/**
 * Runs hourly and emails the team of a store when 80 percent or all of a budget of a program is used. The transaction of the orders only
 * notes it, so that orders do not wait for emails, and a store without a budget has no row.
 */
export async function sendBudgetNotices(platform: Platform, now: Date): Promise<void> {
  const failures = tenantFailures(platform.log, 'The budget notices of stores could not be sent');
  const pages = boundedKeysetPages<Id<'store'>, Id<'store'>>({ rowsPerPage: storesPerPage, pagesMax }, itself, (page) =>
    listStoresWithUnsentNotices(platform.database, page),
  );
  for await (const stores of pages)
    for (const storeId of stores)
      await failures.run(publicId('store', storeId), () => platform.database.transaction((tx) => sendToTeam(tx, platform, storeId, now)));
  failures.raise();
}

/** Null if no notice waits. */
export const nextBudgetNoticeAt = ({ database }: Platform): Promise<Date | null> => findFirstUnsentNotice(database);

async function sendToTeam(tx: Transaction, platform: Platform, storeId: Id<'store'>, now: Date): Promise<void> {
  const unsent = await lockUnsentNotices(tx, storeId);
  const store = await findStore(tx, storeId);
  invariant(store !== null, 'stores are never deleted');
  const team = (await listTeamMembers(tx, storeId)).filter(({ role }) => roleHasPermission(role, 'programs:write'));
  for (const notice of unsent) {
    await markSent(tx, storeId, notice, now);
    // Of a limit that was reached in one step, only the end is sent.
    if (notice.percent === 80 && unsent.some((other) => other.percent === 100 && isSameLimit(notice, other))) continue;
    const url = `${platform.config.baseUrl}/stores/${publicId('store', storeId)}/programs/${publicId('prog', notice.programId)}`;
    const content = budgetEmail(notice, { store: store.name, url });
    for (const { email } of team) await enqueueEmail(tx, platform.secrets, { to: email, content, storeId });
  }
}

const isSameLimit = (one: UnsentNotice, other: UnsentNotice): boolean =>
  one.programId === other.programId && one.limit === other.limit && one.month === other.month && one.limitCents === other.limitCents;

function budgetEmail(
  { programName: program, limit, percent, limitCents: amount }: UnsentNotice,
  { store, url }: { readonly store: string; readonly url: string },
): EmailContent {
  const is = percent === 100 ? 'used_up' : 'nearly_used';
  return {
    subject: emailMessage(`budget_notice.subject_${is}`, { store, program }),
    paragraphs: [
      emailMessage(`budget_notice.${limit}_${is}`, { program, amount }),
      emailMessage(percent === 100 ? 'budget_notice.orders_earn_nothing' : 'budget_notice.then_orders_earn_nothing'),
    ],
    button: { label: emailMessage('budget_notice.button'), url },
    footnotes: [emailMessage('budget_notice.footnote')],
  };
}
