import { firstIdAt } from '../platform/ids.ts';
import type { Platform } from '../platform/platform.ts';
import { plusDays, realNow } from '../platform/time.ts';
import { deleteOldAttempts } from './attempts-sql.ts';
import { deleteOldInvitations, deleteOldReplies, forgetAddresses } from './erase-sql.ts';
import { deleteExpiredLinks } from './links-sql.ts';
import { deleteExpiredSessions } from './sessions-sql.ts';

/** In one run; what is left has been useless before and still is, so the next run has time for it. */
const rowsPerRunMax = 10_000;

/** Who broke in is asked within this time, or never. */
export const addressDaysKept = 90;
/** After an invitation's own end: whom somebody invited is nobody's business for ever. */
export const invitationDaysKept = 90;
/** A request is sent again within minutes; a key is known again for a month. */
export const replyDaysKept = 30;
/** What nights that failed left behind. */
const lookBackDays = 30;

/** A job: sessions, links and counters whose time is over, and what says where somebody was or whom they invited. */
export async function tidyPeople({ database }: Platform): Promise<void> {
  const now = realNow();
  const over = { now, most: rowsPerRunMax };
  await deleteExpiredSessions(database, over);
  await deleteExpiredLinks(database, over);
  await deleteOldAttempts(database, over);
  const from = firstIdAt(plusDays(now, -addressDaysKept - lookBackDays));
  const before = firstIdAt(plusDays(now, -addressDaysKept));
  while ((await forgetAddresses(database, { from, before, most: rowsPerRunMax })) === rowsPerRunMax);
  await deleteOldInvitations(database, { before: plusDays(now, -invitationDaysKept), most: rowsPerRunMax });
  await deleteOldReplies(database, { before: plusDays(now, -replyDaysKept), most: rowsPerRunMax });
}
