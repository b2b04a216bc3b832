import { Type as T } from 'typebox';
import { isRefusal, refuse } from '../http/responses.ts';
import { isoTime, orNull } from '../http/fields.ts';
import { publicId } from '../core/ids.ts';
import { realNow } from '../core/time.ts';
import { checkEmailLimit } from '../people/attempt-limits.ts';
import { hashAddress } from '../people/address-hash.ts';
import { recordPersonAuditEntry } from '../people/audit.ts';
import { updateCreatorEmail } from './creators-sql.ts';
import { deletePendingEmailChange, findPendingEmailChange } from '../people/email-changes-sql.ts';
import { requestEmailChange, confirmEmailChange, findEmailChange, undoEmailChange } from '../people/email-changes.ts';
import { endpoint } from '../people/endpoint.ts';
import { auditRevokedKeys } from '../people/end-access.ts';
import { emailField, strictObject, normalizeEmail, timeField, tokenField } from '../people/fields.ts';
import { linkExpired } from '../people/invitations.ts';
import { getUser } from '../people/users-sql.ts';
import { describePerson, identityReply } from '../people/describe-identity.ts';
import { apiMessage } from '../messages/api-message.ts';

const pendingReply = T.Object({ pending: orNull(T.Object({ email: T.String(), expires_at: timeField })) });

export const getEmailChange = endpoint({
  summary: 'Get my email change that is waiting for confirmation',
  access: { allow: 'person' },
  reply: pendingReply,
  async handle({ db, identity: { by } }) {
    const pending = await findPendingEmailChange(db, { userId: by.userId, now: realNow() });
    return { pending: pending && { email: pending.email, expires_at: isoTime(pending.expiresAt) } };
  },
});

export const askForEmailChangeEndpoint = endpoint({
  summary: 'Change my email address: sends a link to the new address, which works while I am signed in',
  access: { allow: 'person' },
  proof: true,
  body: strictObject({ email: emailField }),
  reply: pendingReply,
  alsoRefuses: ['too_many_requests'],
  audit: 'email.change_asked',
  prepare: ({ platform, body, request: { address } }) => checkEmailLimit(platform, { address, account: normalizeEmail(body.email) }),
  async handle({ db, platform, identity: { by }, body }) {
    const user = await getUser(db, by.userId);
    const email = normalizeEmail(body.email);
    if (email === user.email)
      return refuse('invalid_request', apiMessage('shared.body_invalid'), [
        { field: 'email', message: apiMessage('account_email_api.already_your_email_address') },
      ]);
    const expiresAt = await requestEmailChange(db, platform, { user, email });
    return { pending: { email, expires_at: isoTime(expiresAt) } };
  },
});

export const cancelEmailChange = endpoint({
  summary: 'Withdraw my email change that is waiting for confirmation',
  access: { allow: 'person' },
  status: 204,
  audit: 'email.change_withdrawn',
  async handle({ db, identity: { by } }) {
    await deletePendingEmailChange(db, by.userId);
    return undefined;
  },
});

const tokenBody = strictObject({ token: tokenField });

export const readEmailChange = endpoint({
  summary: 'Get what an email link does, without using it',
  access: { allow: 'anyone' },
  body: tokenBody,
  reply: T.Object({ does: T.Enum(['confirm', 'undo']), former_email: T.String(), email: T.String() }),
  alsoRefuses: ['link_used_or_expired'],
  async handle({ db, body }) {
    const found = await findEmailChange(db, body.token);
    if (found === null) return linkExpired;
    return { does: found.does, former_email: found.change.formerEmail, email: found.change.email };
  },
});

export const confirmEmailChangeEndpoint = endpoint({
  summary: 'Confirm my new email address: ends all my other sessions, and sends a link to undo it to the former address',
  access: { allow: 'person' },
  body: tokenBody,
  reply: identityReply,
  alsoRefuses: ['link_used_or_expired'],
  audit: 'email.changed',
  async handle({ db, platform, identity: { by }, body }) {
    const changed = await confirmEmailChange(db, platform, { token: body.token, userId: by.userId, sessionId: by.sessionId });
    if (isRefusal(changed)) return changed;
    const { change, user } = changed;
    await updateCreatorEmail(db, { creatorId: user.creatorId, from: user.email, to: change.email });
    return describePerson(db, platform, by);
  },
});

export const undoEmailChangeEndpoint = endpoint({
  summary: 'Undo an email change: ends all sessions, and sends a link to choose a new password to the former address',
  access: { allow: 'anyone' },
  body: tokenBody,
  reply: T.Object({ email: T.String() }),
  alsoRefuses: ['link_used_or_expired', 'conflict'],
  async handle({ db, platform, body, request, now }) {
    const undone = await undoEmailChange(db, platform, body.token);
    if (isRefusal(undone)) return undone;
    const { change, user, keys } = undone;
    await updateCreatorEmail(db, { creatorId: user.creatorId, from: user.email, to: change.formerEmail });
    const person = { userId: user.userId, name: user.name };
    await recordPersonAuditEntry(db, platform, request, { person, action: 'email.change_undone', subject: publicId('user', user.userId) });
    const addressHash = hashAddress(platform.secrets, request.address);
    const by = { at: now, actor: publicId('user', user.userId), actorName: user.name, requestId: request.id, addressHash };
    await auditRevokedKeys(db, by, { madeBy: user.userId, keys });
    return { email: change.formerEmail };
  },
});
