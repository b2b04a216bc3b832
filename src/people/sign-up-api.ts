import { Type as T } from 'typebox';
import { keepMail } from '../notify/mail.ts';
import type { Letter } from '../notify/letter.ts';
import { accountStandsLetter, noAccountLetter, passwordResetLetter, signUpLetter } from '../notify/people-letters.ts';
import type { Queryable } from '../platform/database/database.ts';
import { refuse } from '../platform/http/answers.ts';
import { readPublicId } from '../platform/ids.ts';
import type { Platform } from '../platform/platform.ts';
import { mailRefusal } from './attempt-limits.ts';
import { endpoint } from './endpoint.ts';
import { emailField, exactly, oneSpelling } from './fields.ts';
import type { Identity } from './identity.ts';
import { hoursFromNow, makeLink, minutesFromNow, newPasswordMinutes, signInUrl, signUpHours, type Next } from './one-time-links.ts';
import { userByEmail } from './users-sql.ts';

const idLengthMax = 40;

/**
 * Both operations write one mail and answer the same, whether or not there is such an account: the difference is read by
 * whoever reads that address's mail, and by nobody else.
 */
const mailIsOnItsWay = ({ config }: Platform) =>
  config.smtpUrl === null
    ? { message: noMailServer[config.mode], delivered_by: 'operator' as const }
    : { message: 'A mail is on its way to this address.', delivered_by: 'mail' as const };
const noMailServer = {
  sandbox: 'This service has no mail server, so no mail is sent. An operator finds the link under Mails and hands it on.',
  live: 'This service has no mail server, so no mail is sent. Ask its operators to set one up.',
} as const;
const mailReply = T.Object({
  message: T.String(),
  delivered_by: T.Union([T.Literal('mail'), T.Literal('operator')], {
    description: '`operator`: no mail server is set, so no mail is sent',
  }),
});

export const signUp = endpoint({
  summary: 'Ask for an account: a link comes by mail',
  access: { who: 'anyone' },
  body: exactly({
    email: emailField,
    program_id: T.Optional(
      T.String({ maxLength: idLengthMax, description: 'The program from whose page they come; the link leads back there' }),
    ),
  }),
  reply: mailReply,
  audit: 'sign_up.asked',
  prepare: ({ platform, body, request: { address } }) => mailRefusal(platform, { address, account: oneSpelling(body.email) }),
  handle: async ({ db, platform, identity, body }) => {
    const to = oneSpelling(body.email);
    const programId = body.program_id === undefined ? null : readPublicId('prog', body.program_id);
    if (body.program_id !== undefined && programId === null) return noProgram;
    const next = programId && { programId };
    await keepMail(db, platform.secrets, { to, letter: await signUpAnswer(db, platform, to, { next, askedBy: identity }), storeId: null });
    return mailIsOnItsWay(platform);
  },
});

/** Whether there is such a program is not looked up: its page says so to whoever opens it. */
const noProgram = refuse('invalid_request', 'The body is not right; see errors.', [
  { field: 'program_id', message: 'is no id of a program: prog_ and 26 letters' },
]);

type Asking = { readonly next: Next; readonly askedBy: Identity | null };

async function signUpAnswer(db: Queryable, platform: Platform, email: string, { next, askedBy }: Asking): Promise<Letter> {
  const user = await userByEmail(db, email);
  if (user !== null) return accountStandsLetter({ url: signInUrl(platform.config.baseUrl, next) });
  const url = await makeLink(db, platform, { for: 'sign-up', email }, { expiresAt: hoursFromNow(signUpHours), next, askedBy });
  return signUpLetter({ url, hours: signUpHours });
}

export const askForNewPassword = endpoint({
  summary: 'Ask for a new password: a link comes by mail',
  access: { who: 'anyone' },
  body: exactly({ email: emailField }),
  reply: mailReply,
  audit: 'password.reset_asked',
  prepare: ({ platform, body, request: { address } }) => mailRefusal(platform, { address, account: oneSpelling(body.email) }),
  handle: async ({ db, platform, identity, body }) => {
    const to = oneSpelling(body.email);
    await keepMail(db, platform.secrets, { to, letter: await resetAnswer(db, platform, to, identity), storeId: null });
    return mailIsOnItsWay(platform);
  },
});

async function resetAnswer(db: Queryable, platform: Platform, email: string, askedBy: Identity | null): Promise<Letter> {
  const user = await userByEmail(db, email);
  if (user === null) return noAccountLetter({ url: signInUrl(platform.config.baseUrl) });
  const url = await makeLink(
    db,
    platform,
    { for: 'new password', userId: user.userId },
    {
      expiresAt: minutesFromNow(newPasswordMinutes),
      askedBy,
    },
  );
  return passwordResetLetter({ url, minutes: newPasswordMinutes });
}
