import { Type as T } from 'typebox';
import { enqueueEmail } from '../notify/enqueue-email.ts';
import { passwordChangedEmail } from '../notify/account-emails.ts';
import { isRefusal } from '../http/responses.ts';
import { endAllAccess } from './end-access.ts';
import { auditActorOf } from './ended-keys.ts';
import { endpoint } from './endpoint.ts';
import { codeField, strictObject, shortNameField, newPasswordField, passwordField } from './fields.ts';
import { deleteResetLinks } from './links-sql.ts';
import { signInUrl } from './one-time-links.ts';
import { checkCodeLimit, lockAuthenticatedUser, hashNewPassword, checkSecondFactor, authenticateByPassword } from './sign-in.ts';
import { updateName, updatePassword, getUser } from './users-sql.ts';
import { describePerson, identityReply } from './who.ts';

export const changeProfile = endpoint({
  summary: 'Change my name',
  access: { allow: 'person' },
  body: strictObject({ name: shortNameField }),
  reply: identityReply,
  audit: 'profile.changed',
  handle: async ({ db, platform, identity: { by }, body }) => {
    await updateName(db, { userId: by.userId, name: body.name });
    return describePerson(db, platform, by);
  },
});

export const changePassword = endpoint({
  summary: 'Change my password, with a code where a second factor is on; all other sessions end, with end_keys my API keys too',
  access: { allow: 'person' },
  body: strictObject({
    current_password: passwordField,
    new_password: newPasswordField,
    code: T.Optional(codeField),
    end_keys: T.Optional(T.Boolean()),
  }),
  status: 204,
  audit: 'password.changed',
  prepare: async ({ platform, db, identity, body }) => {
    const { email, name } = await getUser(db, identity.by.userId);
    const checked = await authenticateByPassword(platform, { email, password: body.current_password, countedAs: identity.by });
    if (isRefusal(checked)) return checked;
    const limited = checked.totpConfirmedAt === null ? null : await checkCodeLimit(platform, identity.by.sessionId, body.code);
    if (limited) return limited;
    const passwordHash = await hashNewPassword({ password: body.new_password, email, name, field: 'new_password' });
    return typeof passwordHash === 'string' ? { checked, passwordHash } : passwordHash;
  },
  handle: async (asked) => {
    const { db, platform, identity, body } = asked;
    const { checked, passwordHash } = asked.prepared;
    const person = await lockAuthenticatedUser(db, checked);
    if (isRefusal(person)) return person;
    const refused = await checkSecondFactor(db, platform, person, { code: body.code, of: identity.by.sessionId });
    if (refused) return refused;
    await updatePassword(db, { userId: person.userId, passwordHash });
    const { sessionId } = identity.by;
    const ended = await endAllAccess(db, {
      userId: person.userId,
      except: sessionId,
      endKeys: body.end_keys ?? false,
      by: auditActorOf(asked),
    });
    await deleteResetLinks(db, person.userId);
    const letter = passwordChangedEmail({ url: signInUrl(platform.config.baseUrl), keysEnded: ended.keys });
    await enqueueEmail(db, platform.secrets, { to: person.email, content: letter, storeId: null });
    return undefined;
  },
});
