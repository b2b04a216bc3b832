import { Type as T } from 'typebox';
import { keepMail } from '../notify/mail.ts';
import { passwordChangedLetter } from '../notify/people-letters.ts';
import { isRefusal } from '../platform/http/answers.ts';
import { endAllAccess } from './end-access.ts';
import { byWhoAsks } from './ended-keys.ts';
import { endpoint } from './endpoint.ts';
import { codeField, exactly, shortNameField, newPasswordField, passwordField } from './fields.ts';
import { deleteResetLinks } from './links-sql.ts';
import { signInUrl } from './one-time-links.ts';
import { codeLimit, lockChecked, newPasswordHash, secondFactorRefusal, userByPassword } from './sign-in.ts';
import { updateName, updatePassword, userById } from './users-sql.ts';
import { whoIs, whoReply } from './who.ts';

export const changeProfile = endpoint({
  summary: 'Change my name',
  access: { who: 'person' },
  body: exactly({ name: shortNameField }),
  reply: whoReply,
  audit: 'profile.changed',
  handle: async ({ db, platform, identity: { by }, body }) => {
    await updateName(db, { userId: by.userId, name: body.name });
    return whoIs(db, platform, by);
  },
});

export const changePassword = endpoint({
  summary: 'Change my password, with a code where a second factor is on; all other sessions end, with end_keys my API keys too',
  access: { who: 'person' },
  body: exactly({
    current_password: passwordField,
    new_password: newPasswordField,
    code: T.Optional(codeField),
    end_keys: T.Optional(T.Boolean()),
  }),
  status: 204,
  audit: 'password.changed',
  prepare: async ({ platform, db, identity, body }) => {
    const { email, name } = await userById(db, identity.by.userId);
    const checked = await userByPassword(platform, { email, password: body.current_password, countedAs: identity.by });
    if (isRefusal(checked)) return checked;
    const limited = checked.totpConfirmedAt === null ? null : await codeLimit(platform, identity.by.sessionId, body.code);
    if (limited) return limited;
    const passwordHash = await newPasswordHash({ password: body.new_password, email, name, field: 'new_password' });
    return typeof passwordHash === 'string' ? { checked, passwordHash } : passwordHash;
  },
  handle: async (asked) => {
    const { db, platform, identity, body } = asked;
    const { checked, passwordHash } = asked.prepared;
    const person = await lockChecked(db, checked);
    if (isRefusal(person)) return person;
    const refused = await secondFactorRefusal(db, platform, person, { code: body.code, of: identity.by.sessionId });
    if (refused) return refused;
    await updatePassword(db, { userId: person.userId, passwordHash });
    const { sessionId } = identity.by;
    const ended = await endAllAccess(db, {
      userId: person.userId,
      except: sessionId,
      endKeys: body.end_keys ?? false,
      by: byWhoAsks(asked),
    });
    await deleteResetLinks(db, person.userId);
    const letter = passwordChangedLetter({ url: signInUrl(platform.config.baseUrl), keysEnded: ended.keys });
    await keepMail(db, platform.secrets, { to: person.email, letter, storeId: null });
    return undefined;
  },
});
