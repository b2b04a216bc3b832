import { Type as T } from 'typebox';
import { isRefusal, notFound, refuse } from '../http/responses.ts';
import { isoTime, namedObject } from '../http/fields.ts';
import { pageOf } from '../http/page.ts';
import { publicId } from '../core/ids.ts';
import { realNow } from '../core/time.ts';
import { checkEmailLimit } from './attempt-limits.ts';
import { mayGrant } from './decide-rights.ts';
import { decideTeamChange } from './decide-team-change.ts';
import { endpoint } from './endpoint.ts';
import { auditRevokedKeys } from './end-access.ts';
import { emailField, strictObject, normalizeEmail, timeField } from './fields.ts';
import {
  invite,
  withdrawInvitationsBeyondRights,
  invitationReply,
  inviterOf,
  listInvitations,
  toInvitationReply,
  withdrawOpenInvitation,
} from './invitations.ts';
import { revokeStoreKeysOf } from './api-keys-sql.ts';
import { storeParty } from './party.ts';
import { roles } from './permissions.ts';
import { namesOf } from '../core/names-of.ts';
import { isStillAllowed } from './recheck-access.ts';
import { deleteRole, lockOwners, listTeamMembers, updateRole, type Member } from './team-sql.ts';
import { lockUserIfPresent } from './users-sql.ts';
import { auditActorOf } from './audit.ts';
import { apiMessage } from '../messages/api-message.ts';

const roleField = T.Enum(namesOf(roles));
const memberReply = namedObject('TeamMember', {
  user_id: T.String(),
  email: T.String(),
  name: T.String(),
  role: T.String(),
  since: timeField,
});

const memberOf = ({ userId, email, name, role, since }: Member) => ({
  user_id: publicId('user', userId),
  email,
  name,
  role,
  since: isoTime(since),
});

const mayRead = { allow: 'store', permission: 'store:read' } as const;
const mayChange = { allow: 'store', permission: 'team:write' } as const;

const exceedsOwnRights = refuse('permission_missing', apiMessage('team_api.you_cannot_assign_role_with'));
/** Two owners who demote each other concurrently are serialized; the second no longer has the right. */
const rightLost = refuse('permission_missing', apiMessage('team_api.your_role_store_changed_so'));
const lastOwner = refuse('conflict', apiMessage('team_api.store_needs_at_least_one'));

export const listTeam = endpoint({
  summary: "List the members of a store's team",
  access: mayRead,
  reply: pageOf(memberReply),
  handle: async ({ db, ids }) => ({ data: (await listTeamMembers(db, ids.store)).map(memberOf), next_cursor: null }),
});

export const changeRole = endpoint({
  summary: 'Change the role of a team member',
  access: mayChange,
  proof: true,
  ids: { user: 'user' },
  body: strictObject({ role: roleField }),
  reply: memberReply,
  audit: 'team.role_changed',
  handle: async (context) => {
    const { db, platform, identity, ids, body } = context;
    const { role } = body;
    if (!mayGrant(identity, storeParty(ids.store), roles[role])) return exceedsOwnRights;
    await lockUserIfPresent(db, ids.user);
    await lockOwners(db, ids.store);
    if (!(await isStillAllowed({ ...platform, database: db }, { identity, storeId: ids.store, permission: 'team:write' })))
      return rightLost;
    const team = await listTeamMembers(db, ids.store);
    const decision = decideTeamChange({ team, userId: ids.user, role });
    if (decision === 'last_owner') return lastOwner;
    const member = team.find(({ userId }) => userId === ids.user);
    if (decision === 'not_found' || member === undefined) return notFound;
    await updateRole(db, { userId: ids.user, storeId: ids.store, role });
    await withdrawInvitationsBeyondRights(db, { userId: ids.user, mode: platform.config.mode, by: auditActorOf(context) }, realNow());
    return memberOf({ ...member, role });
  },
});

export const removeFromTeam = endpoint({
  summary: 'Remove a team member, and revoke the API keys that they created for the store',
  access: mayChange,
  proof: true,
  ids: { user: 'user' },
  status: 204,
  audit: 'team.removed',
  handle: async (context) => {
    const { db, platform, identity, ids } = context;
    await lockUserIfPresent(db, ids.user);
    await lockOwners(db, ids.store);
    if (!(await isStillAllowed({ ...platform, database: db }, { identity, storeId: ids.store, permission: 'team:write' })))
      return rightLost;
    const decision = decideTeamChange({ team: await listTeamMembers(db, ids.store), userId: ids.user, role: null });
    if (decision === 'not_found') return notFound;
    if (decision === 'last_owner') return lastOwner;
    await deleteRole(db, { userId: ids.user, storeId: ids.store });
    const keys = await revokeStoreKeysOf(db, { storeId: ids.store, madeBy: ids.user, now: realNow() });
    await auditRevokedKeys(db, auditActorOf(context), { madeBy: ids.user, keys });
    await withdrawInvitationsBeyondRights(db, { userId: ids.user, mode: platform.config.mode, by: auditActorOf(context) }, realNow());
    return undefined;
  },
});

export const listStoreInvitations = endpoint({
  summary: 'List the open invitations to the team',
  access: mayRead,
  reply: pageOf(invitationReply),
  handle: ({ db, ids }) => listInvitations(db, storeParty(ids.store)),
});

export const inviteToStore = endpoint({
  summary: 'Invite a person to the team by email',
  access: mayChange,
  proof: true,
  body: strictObject({ email: emailField, role: roleField }),
  reply: invitationReply,
  status: 201,
  audit: 'team.invited',
  // Anyone may open a store, so without a limit a store owner could make us send email to strangers without end.
  prepare: async ({ platform, identity, body, request: { address } }) =>
    identity.isOperator ? null : checkEmailLimit(platform, { address, account: normalizeEmail(body.email) }),
  handle: async ({ db, platform, identity, ids, body: { role, ...body } }) => {
    const email = normalizeEmail(body.email);
    const party = storeParty(ids.store);
    if (!mayGrant(identity, party, roles[role])) return exceedsOwnRights;
    if ((await listTeamMembers(db, ids.store)).some((member) => member.email === email)) {
      return refuse('conflict', apiMessage('team_api.person_already_team_member_change'));
    }
    const invited = await invite(db, platform, { email, party, role, ...(await inviterOf(db, identity)) });
    return isRefusal(invited) ? invited : toInvitationReply(invited);
  },
});

export const withdrawStoreInvitation = endpoint({
  summary: 'Revoke an invitation; its link stops working',
  access: mayChange,
  ids: { invitation: 'invite' },
  status: 204,
  audit: 'team.invitation_withdrawn',
  handle: ({ db, ids }) => withdrawOpenInvitation(db, storeParty(ids.store), ids.invitation),
});
