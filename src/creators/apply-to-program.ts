import { emailMessage } from '../messages/format-message.ts';
import { findProgram } from '../merchants/programs-sql.ts';
import { findStore } from '../merchants/stores-sql.ts';
import type { Queryable } from '../db/database.ts';
import { isRefusal, notFound, refuse, type Refusal } from '../http/responses.ts';
import { newId, type Id } from '../core/ids.ts';
import { invariant } from '../core/invariant.ts';
import type { EmailContent } from '../notify/render-email.ts';
import type { Platform } from '../runtime/platform.ts';
import { lockCreator } from './creators-sql.ts';
import type { ApplicationAnswer } from '../merchants/question-shapes.ts';
import { decideAnswers } from './decide-answers.ts';
import { decideApplication } from './decide-application.ts';
import {
  countApplications,
  insertMember,
  lockMembership,
  setAnswers,
  transitionMember,
  type Member,
  type ProgramKey,
} from './members-sql.ts';
import { notifyStore, type MembershipFacts } from './notify-store.ts';
import { isOpenToCreators } from './open-programs.ts';
import { apiMessage } from '../messages/api-message.ts';

type Application = ProgramKey & {
  readonly creatorId: Id<'crt'>;
  readonly answers: readonly ApplicationAnswer[];
  readonly at: Date;
};

/** Locks the creator, so that parallel requests cannot exceed the limit of open applications. */
export async function applyToProgram(db: Queryable, { creatorId, at, answers, ...of }: Application): Promise<Member | Refusal> {
  const [program, store] = [await findProgram(db, of), await findStore(db, of.storeId)];
  invariant(program !== null && store !== null, 'the directory lists only existing rows');
  const creator = await lockCreator(db, creatorId);
  const former = await lockMembership(db, { ...of, creatorId });
  const decision = decideApplication({
    wasPublished: program.firstPublishedAt !== null,
    isOpen: isOpenToCreators({ status: program.status, store }),
    isSuspended: creator.suspendedAt !== null,
    member: former?.status ?? null,
    leftAt: former?.leftAt ?? null,
    now: at,
    openApplications: await countApplications(db, creatorId),
  });
  if (decision.do === 'hide') return notFound;
  if (decision.do === 'refuse') return refuse(decision.reason, decision.message);
  const answered = decideAnswers(program.questions, answers);
  if (answered.do === 'refuse') return refuse('unprocessable', apiMessage('apply_to_program.answers_invalid_see_errors'), answered.errors);
  const applied = await insertApplication(db, { former, of: { ...of, creatorId }, at });
  if (!isRefusal(applied)) await setAnswers(db, applied, answered.answers);
  return applied;
}

type NewApplication = { readonly former: Member | null; readonly of: ProgramKey & { readonly creatorId: Id<'crt'> }; readonly at: Date };

/** Reuses the former membership, because the creator's links and their orders belong to it. */
async function insertApplication(db: Queryable, { former, of, at }: NewApplication): Promise<Member | Refusal> {
  if (former !== null) return transitionMember(db, former, { event: 'applyAgain', at });
  const member = { memberId: newId<'mem'>(at), status: 'applied', since: at, createdAt: at, ...of } as const;
  return (await insertMember(db, member)) ?? refuse('conflict', apiMessage('apply_to_program.you_have_already_applied_program'));
}

export const notifyOfApplication = (db: Queryable, platform: Platform, member: Member): Promise<void> =>
  notifyStore(db, platform, member, applicationEmail);

const applicationEmail = ({ url, ...names }: MembershipFacts): EmailContent => ({
  subject: emailMessage('application.subject', names),
  paragraphs: [emailMessage('application.body', names), emailMessage('application.next')],
  button: { label: emailMessage('application.button'), url: `${url}?status=applied` },
  footnotes: [emailMessage('common.store_email_settings')],
});
