import { Type as T } from 'typebox';
import { idField } from '../http/fields.ts';
import { enqueueEmail } from './enqueue-email.ts';
import type { EmailContent } from '../notify/render-email.ts';
import { accountExistsEmail, noAccountEmail, passwordResetEmail, signUpEmail } from '../notify/account-emails.ts';
import type { Queryable } from '../db/database.ts';
import { refuse } from '../http/responses.ts';
import { readPublicId } from '../core/ids.ts';
import type { Platform } from '../runtime/platform.ts';
import { checkEmailLimit } from './attempt-limits.ts';
import { endpoint } from './endpoint.ts';
import { emailField, strictObject, normalizeEmail } from './fields.ts';
import type { Identity } from './identity.ts';
import { hoursFromNow, createLink, minutesFromNow, newPasswordMinutes, signInUrl, signUpHours, type Next } from './one-time-links.ts';
import { findUserByEmail } from './users-sql.ts';
import { apiMessage } from '../messages/api-message.ts';

/**
 * Both operations send one email and return the same response whether or not the account exists: only the reader of that mailbox sees the
 * difference.
 */
const emailSentReply = ({ config }: Platform) =>
  config.smtpUrl === null
    ? { message: noMailServer[config.mode], delivered_by: 'operator' as const }
    : { message: apiMessage('sign_up_api.we_sent_email_address'), delivered_by: 'mail' as const };
const noMailServer = {
  sandbox: apiMessage('sign_up_api.sandbox'),
  live: apiMessage('sign_up_api.live'),
} as const;
const emailSentSchema = T.Object({
  message: T.String(),
  delivered_by: T.Union([T.Literal('mail'), T.Literal('operator')], {
    description: '`operator`: no email server is configured, so no email is sent',
  }),
});

export const signUp = endpoint({
  summary: 'Request an account: sends a link by email',
  access: { allow: 'anyone' },
  body: strictObject({
    email: emailField,
    program_id: T.Optional(idField({ description: 'The program whose page the sign-up started from; the link leads back to it' })),
  }),
  reply: emailSentSchema,
  audit: 'sign_up.asked',
  prepare: ({ platform, body, request: { address } }) => checkEmailLimit(platform, { address, account: normalizeEmail(body.email) }),
  handle: async ({ db, platform, identity, body, request }) => {
    const to = normalizeEmail(body.email);
    const programId = body.program_id === undefined ? null : readPublicId('prog', body.program_id);
    if (body.program_id !== undefined && programId === null) return noProgram;
    const next = programId && { programId };
    await enqueueEmail(db, platform.secrets, {
      to,
      content: await signUpEmailContent(db, platform, to, { next, requestedBy: identity }),
      storeId: null,
      languageWithoutAccount: request.language,
    });
    return emailSentReply(platform);
  },
});

/** The program's existence is not checked here, because its page reports a missing program. */
const noProgram = refuse('invalid_request', apiMessage('shared.body_invalid'), [
  { field: 'program_id', message: apiMessage('sign_up_api.must_program_id_prog_and') },
]);

type LinkRequest = { readonly next: Next; readonly requestedBy: Identity | null };

async function signUpEmailContent(
  db: Queryable,
  platform: Platform,
  email: string,
  { next, requestedBy }: LinkRequest,
): Promise<EmailContent> {
  const user = await findUserByEmail(db, email);
  if (user !== null) return accountExistsEmail({ url: signInUrl(platform.config.baseUrl, next) });
  const url = await createLink(db, platform, { for: 'sign-up', email }, { expiresAt: hoursFromNow(signUpHours), next, requestedBy });
  return signUpEmail({ url, hours: signUpHours });
}

export const requestPasswordReset = endpoint({
  summary: 'Request a password reset: sends a link by email',
  access: { allow: 'anyone' },
  body: strictObject({ email: emailField }),
  reply: emailSentSchema,
  audit: 'password.reset_asked',
  prepare: ({ platform, body, request: { address } }) => checkEmailLimit(platform, { address, account: normalizeEmail(body.email) }),
  handle: async ({ db, platform, identity, body, request }) => {
    const to = normalizeEmail(body.email);
    const content = await passwordResetEmailContent(db, platform, to, identity);
    await enqueueEmail(db, platform.secrets, { to, content, storeId: null, languageWithoutAccount: request.language });
    return emailSentReply(platform);
  },
});

async function passwordResetEmailContent(
  db: Queryable,
  platform: Platform,
  email: string,
  requestedBy: Identity | null,
): Promise<EmailContent> {
  const user = await findUserByEmail(db, email);
  if (user === null) return noAccountEmail({ url: signInUrl(platform.config.baseUrl) });
  const url = await createLink(
    db,
    platform,
    { for: 'new password', userId: user.userId },
    {
      expiresAt: minutesFromNow(newPasswordMinutes),
      requestedBy,
    },
  );
  return passwordResetEmail({ url, minutes: newPasswordMinutes });
}
