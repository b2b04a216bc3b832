import { emailMessage } from '../messages/format-message.ts';
import { findProgram } from '../merchants/programs-sql.ts';
import type { Queryable } from '../db/database.ts';
import { notFound, refuse, type Refusal } from '../http/responses.ts';
import { newId, type Id } from '../core/ids.ts';
import { findStore } from '../merchants/stores-sql.ts';
import type { EmailContent } from '../notify/render-email.ts';
import { enqueueEmail } from '../people/enqueue-email.ts';
import { invariant } from '../core/invariant.ts';
import type { Platform } from '../runtime/platform.ts';
import { creatorExists, findCreator } from './creators-sql.ts';
import { decideMember } from './decide-member.ts';
import type { MemberStatus } from './membership-states.ts';
import { insertMember, lockMember, transitionMember, type Member, type ProgramKey } from './members-sql.ts';
import { isEmailEnabled } from './email-preferences-sql.ts';
import { apiMessage } from '../messages/api-message.ts';

type NewMember = ProgramKey & { readonly creatorId: Id<'crt'>; readonly at: Date };

/** The merchant adds a creator, so the membership is approved immediately. */
export async function addMember(db: Queryable, { storeId, programId, creatorId, at }: NewMember): Promise<Member | Refusal> {
  if ((await findProgram(db, { storeId, programId })) === null) return notFound;
  if (!(await creatorExists(db, creatorId))) return notFound;
  const member = await insertMember(db, {
    storeId,
    memberId: newId<'mem'>(at),
    programId,
    creatorId,
    status: 'approved',
    since: at,
    createdAt: at,
  });
  return member ?? refuse('conflict', apiMessage('members.creator_or_member_program_change'));
}

type MemberChange = ProgramKey & { readonly memberId: Id<'mem'>; readonly status: Exclude<MemberStatus, 'applied'>; readonly at: Date };

type ChangedMember = { readonly member: Member; readonly former: MemberStatus };

export async function changeMember(db: Queryable, { status, at, ...of }: MemberChange): Promise<ChangedMember | Refusal> {
  const member = await lockMember(db, of);
  if (member === null) return notFound;
  const decision = decideMember({ status: member.status, hasLeft: member.leftAt !== null }, status);
  if (decision.do === 'refuse') return refuse('conflict', decision.message);
  if (decision.do === 'keep') return { member, former: member.status };
  const changed = await transitionMember(db, of, { event: decision.event, at });
  return { member: changed, former: member.status };
}

export async function notifyOfJoining(db: Queryable, { config, secrets }: Platform, member: Member): Promise<void> {
  if (!(await isEmailEnabled(db, member.creatorId, 'joined'))) return;
  const [creator, program, store] = [
    await findCreator(db, member.creatorId),
    await findProgram(db, member),
    await findStore(db, member.storeId),
  ];
  invariant(creator !== null && program !== null && store !== null, 'creators, programs and stores are never deleted');
  const content = joinedEmail({ program: program.name, store: store.name, url: `${config.baseUrl}/creator/links` });
  await enqueueEmail(db, secrets, { to: creator.email, content, storeId: null });
}

const joinedEmail = ({ url, ...facts }: { readonly program: string; readonly store: string; readonly url: string }): EmailContent => ({
  subject: emailMessage('joined.subject', facts),
  paragraphs: [emailMessage('joined.body', facts), emailMessage('joined.next')],
  button: { label: emailMessage('joined.button'), url },
  footnotes: [],
});
