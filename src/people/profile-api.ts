import { keepMail } from '../notify/mail.ts';
import { passwordChangedLetter } from '../notify/people-letters.ts';
import { isRefusal } from '../platform/http/answers.ts';
import { endpoint } from './endpoint.ts';
import { exactly, shortNameField, newPasswordField, passwordField } from './fields.ts';
import { deleteResetLinks } from './links-sql.ts';
import { signInUrl } from './one-time-links.ts';
import { deleteSessionsOf } from './sessions-sql.ts';
import { lockChecked, newPasswordHash, userByPassword } from './sign-in.ts';
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
  summary: 'Change my password; all my other sessions end',
  access: { who: 'person' },
  body: exactly({ current_password: passwordField, new_password: newPasswordField }),
  status: 204,
  audit: 'password.changed',
  prepare: async ({ platform, db, identity, body, request: { address } }) => {
    const { email, name } = await userById(db, identity.by.userId);
    const checked = await userByPassword(platform, { email, password: body.current_password, address });
    if (isRefusal(checked)) return checked;
    const passwordHash = await newPasswordHash({ password: body.new_password, email, name, field: 'new_password' });
    return typeof passwordHash === 'string' ? { checked, passwordHash } : passwordHash;
  },
  handle: async ({ db, platform, identity: { by }, prepared: { checked, passwordHash } }) => {
    const person = await lockChecked(db, checked);
    if (isRefusal(person)) return person;
    await updatePassword(db, { userId: person.userId, passwordHash });
    await deleteSessionsOf(db, { userId: person.userId, except: by.sessionId });
    await deleteResetLinks(db, person.userId);
    const letter = passwordChangedLetter({ url: signInUrl(platform.config.baseUrl) });
    await keepMail(db, platform.secrets, { to: person.email, letter, storeId: null });
    return undefined;
  },
});
