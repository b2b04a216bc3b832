import { newId, type Id } from '../core/ids.ts';
import type { Platform } from '../runtime/platform.ts';
import { plusDays, realNow } from '../core/time.ts';
import { findMembership } from '../creators/members-sql.ts';
import { isOpenToCreators } from '../creators/open-programs.ts';
import type { Queryable } from '../db/database.ts';
import { notFound, refuse, type Refusal } from '../http/responses.ts';
import { findProgram, type Program } from '../merchants/programs-sql.ts';
import { findStore, type Store } from '../merchants/stores-sql.ts';
import { emailMessage } from '../messages/format-message.ts';
import type { Language } from '../../locales/languages.ts';
import type { EmailContent } from '../notify/render-email.ts';
import { enqueueEmail } from '../people/enqueue-email.ts';
import { createLink, signInUrl } from '../people/one-time-links.ts';
import { findUserByEmail, type User } from '../people/users-sql.ts';
import { decideInvitation, invitationDays, type SkipReason } from './decide-invitation.ts';
import {
  insertInvitation,
  lockOpenInvitation,
  renewInvitation,
  setInvitationEmail,
  type NewInvitation,
  type ProgramInvitation,
} from './invitations-sql.ts';
import { apiMessage } from '../messages/api-message.ts';

/** The program that creators are invited to. */
export type InvitingProgram = { readonly program: Program; readonly store: Store };

/** The actor who invites, and the language of emails to people without an account. */
export type Inviter = { readonly actor: string; readonly name: string; readonly language: Language };

export type Invitee = {
  /** Normalized. */
  readonly email: string;
  readonly creatorName: string | null;
  readonly message: string | null;
  readonly note: string | null;
  /** The group of the program that the person joins. */
  readonly groupId: Id<'grp'> | null;
};

export type InvitationResult =
  | { readonly outcome: 'invited'; readonly invitationId: Id<'pinv'> }
  | { readonly outcome: SkipReason; readonly invitationId: Id<'pinv'> | null };

/** Creators can be invited only to a program that they can join now. */
export async function findInvitingProgram(
  db: Queryable,
  { storeId, programId }: { readonly storeId: Id<'store'>; readonly programId: Id<'prog'> },
): Promise<InvitingProgram | Refusal> {
  const [program, store] = [await findProgram(db, { storeId, programId }), await findStore(db, storeId)];
  if (program === null || store === null) return notFound;
  if (!isOpenToCreators({ status: program.status, store }))
    return refuse('unprocessable', apiMessage('invite_creator.creators_can_join_published_program'));
  return { program, store };
}

/** Invites one address, in the caller's transaction. Inviting it twice sends one email. */
export async function inviteCreator(
  db: Queryable,
  platform: Platform,
  { to, by, invitee }: { readonly to: InvitingProgram; readonly by: Inviter; readonly invitee: Invitee },
): Promise<InvitationResult> {
  const now = realNow();
  const key = { storeId: to.store.storeId, programId: to.program.programId };
  const user = await findUserByEmail(db, invitee.email);
  const member = user?.creatorId ? await findMembership(db, { ...key, creatorId: user.creatorId }) : null;
  const open = await lockOpenInvitation(db, { ...key, email: invitee.email });
  const decision = decideInvitation({ member: member?.status ?? null, openUntil: open?.expiresAt ?? null, now });
  if (decision.do === 'skip') return { outcome: decision.reason, invitationId: open?.invitationId ?? null };
  if (open !== null) {
    await sendAgain(db, platform, { invitation: open, to, by, groupId: invitee.groupId });
    return { outcome: 'invited', invitationId: open.invitationId };
  }
  const invitation: NewInvitation = {
    ...key,
    ...invitee,
    invitationId: newId<'pinv'>(now),
    madeAt: now,
    madeBy: by.actor,
    madeByName: by.name,
    expiresAt: plusDays(now, invitationDays),
  };
  if (!(await insertInvitation(db, invitation))) return { outcome: 'already_invited', invitationId: null };
  await sendEmail(db, platform, { invitation, to, by, user });
  return { outcome: 'invited', invitationId: invitation.invitationId };
}

type Sending = { readonly to: InvitingProgram; readonly by: Inviter };

/** A new link and a new period. Links that were sent before work until they expire. */
export async function sendAgain(
  db: Queryable,
  platform: Platform,
  { invitation, to, by, groupId = null }: Sending & { readonly invitation: ProgramInvitation; readonly groupId?: Id<'grp'> | null },
): Promise<ProgramInvitation> {
  const at = realNow();
  const expiresAt = plusDays(at, invitationDays);
  const renewed = await renewInvitation(db, { invitationId: invitation.invitationId, at, expiresAt, groupId });
  await sendEmail(db, platform, { invitation: renewed, to, by, user: await findUserByEmail(db, invitation.email) });
  return renewed;
}

type NewEmail = Sending & { readonly invitation: NewInvitation; readonly user: User | null };

/** A person without an account gets a sign-up link, and both are led to the page of the program, where they accept. */
async function sendEmail(db: Queryable, platform: Platform, { invitation, to: { program, store }, by, user }: NewEmail): Promise<void> {
  const { email, expiresAt } = invitation;
  const next = { programId: program.programId };
  const url =
    user === null
      ? await createLink(db, platform, { for: 'sign-up', email }, { expiresAt, next, requestedBy: by })
      : signInUrl(platform.config.baseUrl, next);
  const content = programInvitationEmail({ store: store.name, program: program.name, message: invitation.message, url });
  const mailId = await enqueueEmail(db, platform.secrets, {
    to: email,
    content,
    storeId: store.storeId,
    languageWithoutAccount: by.language,
  });
  await setInvitationEmail(db, { invitationId: invitation.invitationId, mailId });
}

type EmailFacts = { readonly store: string; readonly program: string; readonly message: string | null; readonly url: string };

/** The subject has no name in it: a merchant who invites strangers must not choose the subject. */
const programInvitationEmail = ({ store, program, message, url }: EmailFacts): EmailContent => ({
  subject: emailMessage('program_invitation.subject'),
  paragraphs: [
    emailMessage('program_invitation.body', { store, program }),
    ...(message === null ? [] : [emailMessage('common.their_words', { words: message })]),
  ],
  button: { label: emailMessage('program_invitation.button'), url },
  footnotes: [emailMessage('program_invitation.days', { days: invitationDays }), emailMessage('invitation.ignore')],
});
