import { emailMessage } from '../messages/format-message.ts';
import { listEmailRecipients } from '../merchants/store-emails.ts';
import { findProgram } from '../merchants/programs-sql.ts';
import { findStore } from '../merchants/stores-sql.ts';
import type { EmailContent } from '../notify/render-email.ts';
import { enqueueEmail } from '../people/enqueue-email.ts';
import type { Queryable } from '../db/database.ts';
import { notFound, type Refusal } from '../http/responses.ts';
import { publicId, type Id } from '../core/ids.ts';
import { invariant } from '../core/invariant.ts';
import type { Platform } from '../runtime/platform.ts';
import { findCreator } from './creators-sql.ts';
import { decideLeave } from './decide-member.ts';
import type { MemberStatus } from './membership-states.ts';
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
  await notifyStore(db, platform, left, member.status);
  return left;
}

/** Emails the people of the store who may approve creators and want these emails. */
async function notifyStore(db: Queryable, { config, secrets }: Platform, member: Member, former: MemberStatus): Promise<void> {
  const { storeId } = member;
  const people = await listEmailRecipients(db, { storeId, kind: 'applications', permission: 'programs:write' });
  if (people.length === 0) return;
  const [creator, program, store] = [await findCreator(db, member.creatorId), await findProgram(db, member), await findStore(db, storeId)];
  invariant(creator !== null && program !== null && store !== null, 'creators, programs and stores are never deleted');
  const url = `${config.baseUrl}/stores/${publicId('store', storeId)}/creators`;
  const content = leftEmail({ creator: creator.name, program: program.name, store: store.name, url, hadApplied: former === 'applied' });
  for (const { email } of people) await enqueueEmail(db, secrets, { to: email, content, storeId });
}

type Facts = {
  readonly creator: string;
  readonly program: string;
  readonly store: string;
  readonly url: string;
  readonly hadApplied: boolean;
};

const leftEmail = ({ url, hadApplied, ...facts }: Facts): EmailContent => ({
  subject: emailMessage(hadApplied ? 'left.subject_withdrew' : 'left.subject_left', facts),
  paragraphs: [emailMessage(hadApplied ? 'left.withdrew' : 'left.left', facts)],
  button: { label: emailMessage('left.button'), url },
  footnotes: [emailMessage('common.store_email_settings')],
});
