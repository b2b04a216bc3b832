import { emailMessage } from '../messages/format-message.ts';
import type { EmailContent } from '../notify/render-email.ts';
import type { Queryable } from '../db/database.ts';
import { notFound, type Refusal } from '../http/responses.ts';
import type { Id } from '../core/ids.ts';
import type { Platform } from '../runtime/platform.ts';
import { decideLeave } from './decide-member.ts';
import { notifyStore, type MembershipFacts } from './notify-store.ts';
import { listStoresOfCreator, lockOwnMembership, transitionMember, type Member } from './members-sql.ts';

type LeaveCommand = { readonly creatorId: Id<'crt'>; readonly memberId: Id<'mem'>; readonly at: Date };

/**
 * The creator ends the membership: new visits get no click ID, earlier clicks count, and commissions are not affected. Leaving a
 * membership that has ended changes nothing.
 */
export async function leaveProgram(
  db: Queryable,
  platform: Platform,
  { creatorId, memberId, at }: LeaveCommand,
): Promise<Member | Refusal> {
  const member = await lockOwnMembership(db, { creatorId, storeIds: await listStoresOfCreator(db, creatorId), memberId });
  if (member === null) return notFound;
  const decision = decideLeave(member.status);
  if (decision.do !== 'change') return member;
  const left = await transitionMember(db, member, { event: decision.event, at });
  await notifyStore(db, platform, left, (facts) => leftEmail(facts, member.status === 'applied'));
  return left;
}

const leftEmail = ({ url, ...names }: MembershipFacts, hadApplied: boolean): EmailContent => ({
  subject: emailMessage(hadApplied ? 'left.subject_withdrew' : 'left.subject_left', names),
  paragraphs: [emailMessage(hadApplied ? 'left.withdrew' : 'left.left', names)],
  button: { label: emailMessage('left.button'), url },
  footnotes: [emailMessage('common.store_email_settings')],
});
