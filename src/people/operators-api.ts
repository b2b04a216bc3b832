import { Type as T } from 'typebox';
import { isRefusal, notFound, refuse } from '../http/responses.ts';
import { pageOf } from '../http/page.ts';
import { isoTimeOrNull, namedObject, orNull } from '../http/fields.ts';
import { publicId, type Id } from '../core/ids.ts';
import { realNow } from '../core/time.ts';
import { revokeKeysBeyondRights, auditRevokedKeys } from './end-access.ts';
import { endpoint } from './endpoint.ts';
import { emailField, strictObject, normalizeEmail } from './fields.ts';
import {
  invitationReply,
  inviterOf,
  listInvitations,
  toInvitationReply,
  withdrawOpenInvitation,
  invite,
  withdrawInvitationsBeyondRights,
} from './invitations.ts';
import { operatorInvitedEmail, emailOperators, recordOperatorLeft, removedOperatorEmail, operatorsPageUrl } from './operators.ts';
import { listOperatorPersons, operatorsMax } from './operators-sql.ts';
import { creatorParty, operatorParty } from './party.ts';
import { lockOperators, listOperatorUsers, updateIsOperator, findUserOfCreator } from './users-sql.ts';
import { auditActorOf } from './audit.ts';
import { apiMessage } from '../messages/api-message.ts';

const operatorReply = namedObject('Operator', {
  user_id: T.String(),
  email: T.String(),
  name: T.String(),
  second_factor: T.Boolean(),
  established_at: orNull(
    T.String({ description: 'When a new operator may first approve operations that need two operators; null if already allowed' }),
  ),
});

export const listOperators = endpoint({
  summary: 'List the operators of this installation',
  access: { allow: 'operator' },
  reply: pageOf(operatorReply),
  handle: async ({ db, now }) => {
    const all = await listOperatorUsers(db, { most: operatorsMax });
    const times = new Map(
      (
        await listOperatorPersons(
          db,
          all.map(({ userId }) => userId),
        )
      ).map((one) => [one.userId, one.establishedAt]),
    );
    const waitsUntil = (userId: Id<'user'>) => {
      const from = times.get(userId) ?? null;
      return from !== null && now < from ? from : null;
    };
    const data = all.map(({ userId, email, name, totpConfirmedAt }) => ({
      user_id: publicId('user', userId),
      email,
      name,
      second_factor: totpConfirmedAt !== null,
      established_at: isoTimeOrNull(waitsUntil(userId)),
    }));
    return { data, next_cursor: null };
  },
});

export const removeOperator = endpoint({
  summary: 'Remove an operator: the account stays, and API keys that need operator rights are revoked',
  access: { allow: 'operator' },
  proof: true,
  ids: { user: 'user' },
  status: 204,
  audit: 'operator.removed',
  handle: async (context) => {
    const { db, ids, platform, identity } = context;
    await lockOperators(db);
    const all = await listOperatorUsers(db, { most: operatorsMax });
    const person = all.find(({ userId }) => userId === ids.user);
    if (person === undefined) return notFound;
    if (all.length === 1) return refuse('conflict', apiMessage('shared.last_operator'));
    await updateIsOperator(db, { userId: ids.user, isOperator: false });
    await recordOperatorLeft(db, platform);
    const { name, email } = person;
    await emailOperators(db, platform, removedOperatorEmail({ name, email, by: identity.name, url: operatorsPageUrl(platform) }), [email]);
    const keys = await revokeKeysBeyondRights(db, { madeBy: ids.user, creatorId: person.creatorId, now: realNow() });
    await auditRevokedKeys(db, auditActorOf(context), { madeBy: ids.user, keys });
    await withdrawInvitationsBeyondRights(db, { userId: ids.user, mode: platform.config.mode, by: auditActorOf(context) }, realNow());
    return undefined;
  },
});

export const listOperatorInvitations = endpoint({
  summary: 'List the open invitations to become an operator',
  access: { allow: 'operator' },
  reply: pageOf(invitationReply),
  handle: ({ db }) => listInvitations(db, operatorParty),
});

export const inviteOperator = endpoint({
  summary: 'Invite a person to become an operator by email',
  access: { allow: 'operator' },
  proof: true,
  body: strictObject({ email: emailField }),
  reply: invitationReply,
  status: 201,
  audit: 'operator.invited',
  handle: async ({ db, platform, identity, body }) => {
    const email = normalizeEmail(body.email);
    if ((await listOperatorUsers(db, { most: operatorsMax })).some((one) => one.email === email)) {
      return refuse('conflict', apiMessage('operators_api.person_already_operator'));
    }
    const invited = await invite(db, platform, { email, party: operatorParty, role: null, ...(await inviterOf(db, identity)) });
    if (isRefusal(invited)) return invited;
    await emailOperators(db, platform, operatorInvitedEmail({ email, by: identity.name, url: operatorsPageUrl(platform) }));
    return toInvitationReply(invited);
  },
});

export const withdrawOperatorInvitation = endpoint({
  summary: 'Revoke an invitation; its link stops working',
  access: { allow: 'operator' },
  ids: { invitation: 'invite' },
  status: 204,
  audit: 'operator.invitation_withdrawn',
  handle: ({ db, ids }) => withdrawOpenInvitation(db, operatorParty, ids.invitation),
});

/** Only the operator decides which person a creator's account belongs to. */
export const inviteCreator = endpoint({
  summary: 'Invite the user of a creator by email',
  access: { allow: 'operator', of: 'creator' },
  proof: true,
  ids: { creator: 'crt' },
  body: strictObject({ email: emailField }),
  reply: invitationReply,
  status: 201,
  audit: 'creator.invited',
  handle: async ({ db, platform, identity, ids, body }) => {
    if ((await findUserOfCreator(db, ids.creator)) !== null)
      return refuse('conflict', apiMessage('operators_api.creator_already_has_user_account'));
    const invitation = {
      email: normalizeEmail(body.email),
      party: creatorParty(ids.creator),
      role: null,
      ...(await inviterOf(db, identity)),
    };
    const invited = await invite(db, platform, invitation);
    return isRefusal(invited) ? invited : toInvitationReply(invited);
  },
});
