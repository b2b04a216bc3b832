import { Type as T } from 'typebox';
import { isRefusal, notFound, refuse } from '../platform/http/answers.ts';
import { pageOf } from '../platform/http/page.ts';
import { isoTimeOrNull, orNull } from '../platform/http/fields.ts';
import { publicId, type Id } from '../platform/ids.ts';
import { realNow } from '../platform/time.ts';
import { byWhoAsks, endOperatorKeysOf, tellEndedKeys } from './ended-keys.ts';
import { endpoint } from './endpoint.ts';
import { emailField, exactly, oneSpelling } from './fields.ts';
import { invitationReply, inviterOf, listInvitations, replyOf, withdraw } from './invitation-replies.ts';
import { invite } from './invitations.ts';
import { withdrawInvitationsBeyond } from './inviter-rights.ts';
import { invitedLetter, mailOperators, operatorLeft, removedOperatorLetter, teamUrl } from './operator-rules.ts';
import { operatorPersons, operatorsMax } from './operators-sql.ts';
import { creatorParty, operatorParty } from './party.ts';
import { lockOperators, operators, updateIsOperator, userOfCreator } from './users-sql.ts';

const operatorReply = T.Object({
  user_id: T.String(),
  email: T.String(),
  name: T.String(),
  second_factor: T.Boolean(),
  established_at: orNull(T.String({ description: 'From when on a new operator may agree to what needs two people; null: they may' })),
});

export const listOperators = endpoint({
  summary: 'The people who run this installation',
  access: { who: 'operator' },
  reply: pageOf(operatorReply),
  handle: async ({ db, now }) => {
    const all = await operators(db, { most: operatorsMax });
    const times = new Map(
      (
        await operatorPersons(
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
  summary: 'Take the right of an operator from somebody; the account stays, the keys that only an operator could make end',
  access: { who: 'operator' },
  proof: true,
  ids: { user: 'user' },
  status: 204,
  audit: 'operator.removed',
  handle: async (asked) => {
    const { db, ids, platform, identity } = asked;
    await lockOperators(db);
    const all = await operators(db, { most: operatorsMax });
    const person = all.find(({ userId }) => userId === ids.user);
    if (person === undefined) return notFound;
    if (all.length === 1) return refuse('conflict', 'An installation has at least one operator; invite another first.');
    await updateIsOperator(db, { userId: ids.user, isOperator: false });
    await operatorLeft(db, platform);
    const { name, email } = person;
    await mailOperators(db, platform, removedOperatorLetter({ name, email, by: identity.name, url: teamUrl(platform) }), [email]);
    const keys = await endOperatorKeysOf(db, { madeBy: ids.user, creatorId: person.creatorId, now: realNow() });
    await tellEndedKeys(db, byWhoAsks(asked), { madeBy: ids.user, keys });
    await withdrawInvitationsBeyond(db, { userId: ids.user, mode: platform.config.mode, by: byWhoAsks(asked) }, realNow());
    return undefined;
  },
});

export const listOperatorInvitations = endpoint({
  summary: 'The open invitations to the operators',
  access: { who: 'operator' },
  reply: pageOf(invitationReply),
  handle: ({ db }) => listInvitations(db, operatorParty),
});

export const inviteOperator = endpoint({
  summary: 'Invite somebody to run this installation: a link goes to them by mail',
  access: { who: 'operator' },
  proof: true,
  body: exactly({ email: emailField }),
  reply: invitationReply,
  status: 201,
  audit: 'operator.invited',
  handle: async ({ db, platform, identity, body }) => {
    const email = oneSpelling(body.email);
    if ((await operators(db, { most: operatorsMax })).some((one) => one.email === email)) {
      return refuse('conflict', 'This person is an operator already.');
    }
    const invited = await invite(db, platform, { email, party: operatorParty, role: null, ...(await inviterOf(db, identity)) });
    if (isRefusal(invited)) return invited;
    await mailOperators(db, platform, invitedLetter({ email, by: identity.name, url: teamUrl(platform) }));
    return replyOf(invited);
  },
});

export const withdrawOperatorInvitation = endpoint({
  summary: 'Withdraw an invitation; its link stops working',
  access: { who: 'operator' },
  ids: { invitation: 'invite' },
  status: 204,
  audit: 'operator.invitation_withdrawn',
  handle: ({ db, ids }) => withdraw(db, operatorParty, ids.invitation),
});

/** Whose account a creator becomes is the operator's word alone. */
export const inviteCreator = endpoint({
  summary: 'Invite the person of a creator: a link goes to them by mail',
  access: { who: 'operator', of: 'creator' },
  proof: true,
  ids: { creator: 'crt' },
  body: exactly({ email: emailField }),
  reply: invitationReply,
  status: 201,
  audit: 'creator.invited',
  handle: async ({ db, platform, identity, ids, body }) => {
    if ((await userOfCreator(db, ids.creator)) !== null) return refuse('conflict', 'This creator has a person already.');
    const invitation = { email: oneSpelling(body.email), party: creatorParty(ids.creator), role: null, ...(await inviterOf(db, identity)) };
    const invited = await invite(db, platform, invitation);
    return isRefusal(invited) ? invited : replyOf(invited);
  },
});
