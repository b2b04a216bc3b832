import { Type as T } from 'typebox';
import type { Queryable } from '../db/database.ts';
import { notFound, refuse, type Refusal } from '../http/responses.ts';
import { isoTime, isoTimeOrNull, namedObject, orNull } from '../http/fields.ts';
import { pageOf } from '../http/page.ts';
import { publicId, type Id } from '../core/ids.ts';
import { realNow } from '../core/time.ts';
import { decideApproval, newOperatorHours } from './decide-agreement.ts';
import { endpoint } from './endpoint.ts';
import { strictObject, timeField } from './fields.ts';
import type { Identity } from './identity.ts';
import {
  areOperatorRulesOn,
  grantOperatorRight,
  emailOperators,
  newOperatorEmail,
  requestingPerson,
  operatorsPageUrl,
} from './operators.ts';
import {
  markInvitationApproved,
  markInvitationDeclined,
  lockApproval,
  operatorsMax,
  readOperatorRules,
  listPendingApprovals,
  updateOperatorRules,
  type Approval,
} from './operators-sql.ts';
import { getUser } from './users-sql.ts';
import { apiMessage } from '../messages/api-message.ts';

type Decision = ReturnType<typeof decideApproval>;

const refusalMessages: Readonly<Record<Exclude<Decision, 'go'>, string>> = {
  no_person: apiMessage('operator_approvals.no_person'),
  not_operator: apiMessage('operator_approvals.not_operator'),
  inviter: apiMessage('operator_approvals.inviter'),
  joined: apiMessage('operator_approvals.joined'),
  new_operator: apiMessage('operator_approvals.new_operator', { newOperatorHours }),
};

async function decideForRequester(db: Queryable, identity: Identity, approval: Approval, now: Date): Promise<Decision> {
  const approver = await requestingPerson(db, identity);
  return decideApproval({ approver, invitedBy: approval.invitedBy, joinedUserId: approval.joinedUserId, now });
}

export const listOperatorApprovals = endpoint({
  summary: 'List the new operators that wait for approval by another operator',
  access: { allow: 'operator' },
  reply: pageOf(
    namedObject('OperatorApproval', {
      invitation_id: T.String(),
      email: T.String(),
      name: orNull(T.String({ description: 'Null until the invitation is accepted' })),
      invited_by_name: orNull(T.String()),
      invited_at: timeField,
      has_joined: T.Boolean({ description: 'True if the invitation was accepted and the approval is pending' }),
      you_may_approve: T.Boolean(),
      why_not: orNull(T.String()),
    }),
  ),
  handle: async ({ db, platform, identity, now }) => {
    if (!(await areOperatorRulesOn(db, platform))) return { data: [], next_cursor: null };
    const approvals = await listPendingApprovals(db, { now: realNow(), most: operatorsMax });
    const data = await Promise.all(
      approvals.map(async (approval) => {
        const decision = await decideForRequester(db, identity, approval, now);
        return {
          invitation_id: publicId('invite', approval.invitationId),
          email: approval.email,
          name: approval.joinedName,
          invited_by_name: approval.invitedByName,
          invited_at: isoTime(approval.madeAt),
          has_joined: approval.joinedUserId !== null,
          you_may_approve: decision === 'go',
          why_not: decision === 'go' ? null : refusalMessages[decision],
        };
      }),
    );
    return { data, next_cursor: null };
  },
});

const ids = { invitation: 'invite' } as const;

export const approveOperator = endpoint({
  summary: 'Approve a new operator that another operator invited, before or after the invitation is accepted',
  access: { allow: 'operator' },
  proof: true,
  ids,
  status: 204,
  audit: 'operator.approved',
  handle: async ({ db, platform, identity, ids: { invitation: invitationId }, now }) => {
    const approval = await lockApproval(db, invitationId);
    if (approval === null) return notFound;
    const decision = await decideForRequester(db, identity, approval, now);
    if (decision !== 'go' || identity.by.is !== 'session') return refusalOf(decision);
    await markInvitationApproved(db, { invitationId, by: identity.by.userId, at: now });
    if (approval.joinedUserId !== null) await completeJoining(db, { approval, userId: approval.joinedUserId, platform });
    return undefined;
  },
});

const refusalOf = (decision: Decision): Refusal => refuse('unprocessable', refusalMessages[decision === 'go' ? 'no_person' : decision]);

type JoinedOperator = {
  readonly approval: Approval;
  readonly userId: Id<'user'>;
  readonly platform: Parameters<typeof grantOperatorRight>[1];
};

async function completeJoining(db: Queryable, { approval: { invitedBy }, userId, platform }: JoinedOperator): Promise<void> {
  await grantOperatorRight(db, platform, { userId, invitedBy, isApproved: true });
  const { name, email } = await getUser(db, userId);
  await emailOperators(db, platform, newOperatorEmail({ name, email, url: operatorsPageUrl(platform) }));
}

export const declineOperator = endpoint({
  summary: 'Decline a new operator: revokes the invitation; an existing account stays without operator rights',
  access: { allow: 'operator' },
  liveKeys: 'refused',
  ids,
  status: 204,
  audit: 'operator.declined',
  handle: async ({ db, ids: { invitation: invitationId } }) => {
    if ((await lockApproval(db, invitationId)) === null) return notFound;
    await markInvitationDeclined(db, invitationId, realNow());
    return undefined;
  },
});

const rulesReply = namedObject('OperatorRules', {
  in_force: T.Boolean({ description: 'Always in live mode' }),
  wait_hours: T.Integer({ description: 'How long a new operator cannot approve payouts or relax settings' }),
  last_left_at: orNull(timeField),
});

export const getOperatorRules = endpoint({
  summary: 'Get the rules for new operators',
  access: { allow: 'operator' },
  reply: rulesReply,
  handle: async ({ db, platform }) => ({
    in_force: await areOperatorRulesOn(db, platform),
    wait_hours: newOperatorHours,
    last_left_at: isoTimeOrNull((await readOperatorRules(db)).lastLeftAt),
  }),
});

export const setOperatorRules = endpoint({
  summary: 'Turn the rules for new operators on or off in the sandbox',
  access: { allow: 'operator' },
  proof: true,
  body: strictObject({ in_force: T.Boolean() }),
  reply: rulesReply,
  audit: 'operator_rules.set',
  handle: async ({ db, platform, body }) => {
    if (platform.config.mode === 'live') return refuse('sandbox_only', apiMessage('operator_approvals.these_rules_always_force_live'));
    await updateOperatorRules(db, { inSandbox: body.in_force });
    const { lastLeftAt } = await readOperatorRules(db);
    return { in_force: body.in_force, wait_hours: newOperatorHours, last_left_at: isoTimeOrNull(lastLeftAt) };
  },
});
