import { memberStatuses } from './membership-states.ts';
import { Type as T } from 'typebox';
import type { Static } from '../core/static.ts';
import { programsByName, storeOfProgram } from '../merchants/programs-sql.ts';
import { statusOf, storesById } from '../merchants/stores-sql.ts';
import { questionsMax } from '../merchants/question-shapes.ts';
import { endpoint } from '../people/endpoint.ts';
import { strictObject } from '../people/fields.ts';
import type { Queryable } from '../db/database.ts';
import { isRefusal, notFound, refuse } from '../http/responses.ts';
import { isoTime, isoTimeOrNull, namedObject, orNull, textField } from '../http/fields.ts';
import { publicId } from '../core/ids.ts';
import { invariant } from '../core/invariant.ts';
import { applyToProgram } from './apply-to-program.ts';
import { notifyOfApplication } from './apply-to-program.ts';
import { leaveProgram } from './leave-program.ts';
import { listMembershipsOfCreator, listStoresOfCreator, type Member } from './members-sql.ts';
import { listEndpoint } from '../people/list-endpoint.ts';
import { apiMessage } from '../messages/api-message.ts';

const membershipJson = namedObject('Membership', {
  id: T.String(),
  program_id: T.String(),
  program_name: T.String(),
  program_status: T.Enum(['draft', 'published', 'paused']),
  store_id: T.String(),
  store_name: T.String(),
  store_status: T.Enum(['active', 'past_due', 'archived']),
  status: T.Enum(memberStatuses),
  since: T.String(),
  left_at: orNull(T.String({ description: 'When the creator left; null if the merchant ended the membership' })),
  created_at: T.String(),
});

/** Loads the programs and stores of a page. */
async function loadMembershipRenderer(
  db: Queryable,
  members: readonly Member[],
): Promise<(member: Member) => Static<typeof membershipJson>> {
  const stores = await storesById(
    db,
    members.map(({ storeId }) => storeId),
  );
  const programs = await programsByName(db, members);
  return (member) => {
    const [store, program] = [stores.get(member.storeId), programs.get(member.programId)];
    invariant(store !== undefined && program !== undefined, 'stores and programs are never deleted');
    return {
      id: publicId('mem', member.memberId),
      program_id: publicId('prog', member.programId),
      program_name: program.name,
      program_status: program.status,
      store_id: publicId('store', member.storeId),
      store_name: store.name,
      store_status: statusOf(store),
      status: member.status,
      since: isoTime(member.since),
      left_at: isoTimeOrNull(member.leftAt),
      created_at: isoTime(member.createdAt),
    };
  };
}

export const listMembershipsEndpoint = listEndpoint({
  summary: 'List the programs that a creator has joined or applied to, newest first',
  access: { allow: 'creator', permission: 'creator:read' },
  item: membershipJson,
  rows: async ({ db, ids }, page) =>
    listMembershipsOfCreator(db, { creatorId: ids.creator, storeIds: await listStoresOfCreator(db, ids.creator) }, page),
  renderer: ({ db }, members) => loadMembershipRenderer(db, members),
  key: ({ memberId }) => [memberId],
});

const answerLengthMax = 2_000;
const answerField = strictObject({ question: textField(200), answer: textField(answerLengthMax, 0) });

export const applyToProgramEndpoint = endpoint({
  summary: 'Apply to a program as a creator; the merchant decides on the application',
  access: { allow: 'signed in' },
  ids: { program: 'prog' },
  body: strictObject({ answers: T.Optional(T.Array(answerField, { maxItems: questionsMax })) }),
  isBodyOptional: true,
  reply: membershipJson,
  status: 201,
  audit: 'member.apply',
  async handle({ platform, db, identity: { creator }, ids, body, now }) {
    if (creator === null) return refuse('conflict', apiMessage('memberships_api.you_not_creator_yet_create'));
    if (!creator.permissions.has('creator:write'))
      return refuse('permission_missing', apiMessage('memberships_api.you_need_permission_creator_write_apply'));
    const storeId = await storeOfProgram(db, ids.program);
    if (storeId === null) return notFound;
    const member = await applyToProgram(db, {
      storeId,
      programId: ids.program,
      creatorId: creator.creatorId,
      answers: body.answers ?? [],
      at: now,
    });
    if (isRefusal(member)) return member;
    await notifyOfApplication(db, platform, member);
    return (await loadMembershipRenderer(db, [member]))(member);
  },
});

export const leaveProgramEndpoint = endpoint({
  summary: 'Leave a program, or withdraw an application; earlier clicks still count',
  access: { allow: 'creator', permission: 'creator:write' },
  ids: { member: 'mem' },
  reply: membershipJson,
  audit: 'member.leave',
  async handle({ platform, db, ids, now }) {
    const member = await leaveProgram(db, platform, { creatorId: ids.creator, memberId: ids.member, at: now });
    return isRefusal(member) ? member : (await loadMembershipRenderer(db, [member]))(member);
  },
});
