import { firstIdAt } from '../platform/ids.ts';
import type { Platform } from '../platform/platform.ts';
import { plusDays, realNow } from '../platform/time.ts';
import { deleteOldAttempts } from './attempts-sql.ts';
import { deleteOldInvitations, deleteOldReplies, forgetAddresses } from './erase-sql.ts';
import { deleteExpiredLinks } from './links-sql.ts';
import { deleteExpiredSessions } from './sessions-sql.ts';

/** In one statement, so that none lasts long. */
const rowsAtOnceMax = 10_000;

/** Who broke in is asked within this time, or never. */
export const addressDaysKept = 90;
/** After an invitation's own end: whom somebody invited is nobody's business for ever. */
export const invitationDaysKept = 90;
/** A request is sent again within minutes; a key is known again for a month. */
export const replyDaysKept = 30;
/** What nights that failed left behind. */
const lookBackDays = 30;

/**
 * A job: sessions, links and counters whose time is over, and what says where somebody was or whom they invited. All of it, for a
 * program that sends an Idempotency-Key with each request leaves more behind in a day than one statement takes away.
 */
export async function tidyPeople({ database }: Platform): Promise<void> {
  const now = realNow();
  const from = firstIdAt(plusDays(now, -addressDaysKept - lookBackDays));
  const before = firstIdAt(plusDays(now, -addressDaysKept));
  await all((most) => deleteExpiredSessions(database, { now, most }));
  await all((most) => deleteExpiredLinks(database, { now, most }));
  await all((most) => deleteOldAttempts(database, { now, most }));
  await all((most) => forgetAddresses(database, { from, before, most }));
  await all((most) => deleteOldInvitations(database, { before: plusDays(now, -invitationDaysKept), most }));
  await all((most) => deleteOldReplies(database, { before: plusDays(now, -replyDaysKept), most }));
}

async function all(takeAway: (most: number) => Promise<number>): Promise<void> {
  while ((await takeAway(rowsAtOnceMax)) === rowsAtOnceMax);
}
