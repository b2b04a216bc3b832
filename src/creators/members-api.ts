import { Type as T } from 'typebox';
import type { Static } from '../core/static.ts';
import { findProgram } from '../merchants/programs-sql.ts';
import { endpoint } from '../people/endpoint.ts';
import type { Queryable } from '../db/database.ts';
import { isRefusal, notFound, type Refusal } from '../http/responses.ts';
import { isoTime, isoTimeOrNull, namedObject, orNull, idField } from '../http/fields.ts';
import { publicId, readPublicId } from '../core/ids.ts';
import { invariant } from '../core/invariant.ts';
import { creatorNames } from './creators-sql.ts';
import { groupsOfMembers, type GroupOfMember } from './group-moves-sql.ts';
import { notifyOfJoining } from './members.ts';
import { listMembers, type Member } from './members-sql.ts';
import { addMember, changeMember } from './members.ts';
import { listEndpoint } from '../people/list-endpoint.ts';

const memberJson = namedObject('Member', {
  id: T.String(),
  program_id: T.String(),
  creator_id: T.String(),
  creator_name: T.String(),
  status: T.Union([T.Literal('applied'), T.Literal('approved'), T.Literal('paused'), T.Literal('removed')]),
  since: T.String(),
  left_at: orNull(T.String({ description: 'When the creator left; null if the merchant ended the membership' })),
  created_at: T.String(),
  group: T.Optional(T.Object({ id: T.String(), name: T.String() }, { description: 'Absent if the member is in no group' })),
});

const showMember = (member: Member, creatorName: string, group: GroupOfMember | undefined): Static<typeof memberJson> => ({
  id: publicId('mem', member.memberId),
  program_id: publicId('prog', member.programId),
  creator_id: publicId('crt', member.creatorId),
  creator_name: creatorName,
  status: member.status,
  since: isoTime(member.since),
  left_at: isoTimeOrNull(member.leftAt),
  created_at: isoTime(member.createdAt),
  ...(group === undefined ? {} : { group: { id: publicId('grp', group.groupId), name: group.name } }),
});

/** Two queries instead of a join, because stores and creators may be on different machines. */
async function loadMemberRenderer(db: Queryable, members: readonly Member[]): Promise<(member: Member) => Static<typeof memberJson>> {
  const names = await creatorNames(
    db,
    members.map(({ creatorId }) => creatorId),
  );
  const groups = await groupsOfMembers(db, members);
  return (member) => {
    const name = names.get(member.creatorId);
    invariant(name !== undefined, 'creators are never deleted');
    return showMember(member, name, groups.get(member.memberId));
  };
}

async function renderMember(db: Queryable, member: Member | Refusal): Promise<Static<typeof memberJson> | Refusal> {
  return isRefusal(member) ? member : (await loadMemberRenderer(db, [member]))(member);
}

export const addMemberEndpoint = endpoint({
  summary: 'Add a creator to a program',
  access: { allow: 'store', permission: 'programs:write' },
  ids: { program: 'prog' },
  body: T.Object({ creator_id: idField() }, { additionalProperties: false }),
  reply: memberJson,
  status: 201,
  audit: 'member.add',
  async handle({ platform, db, ids, body, now }) {
    const creatorId = readPublicId('crt', body.creator_id);
    if (creatorId === null) return notFound;
    const member = await addMember(db, { storeId: ids.store, programId: ids.program, creatorId, at: now });
    if (!isRefusal(member)) await notifyOfJoining(db, platform, member);
    return renderMember(db, member);
  },
});

export const listMembersEndpoint = listEndpoint({
  summary: "List a program's members, newest first",
  access: { allow: 'store', permission: 'store:read' },
  ids: { program: 'prog' },
  item: memberJson,
  exists: async ({ db, ids }) => (await findProgram(db, { storeId: ids.store, programId: ids.program })) !== null,
  rows: ({ db, ids }, page) => listMembers(db, { storeId: ids.store, programId: ids.program }, page),
  renderer: ({ db }, members) => loadMemberRenderer(db, members),
  key: ({ memberId }) => [memberId],
});

export const changeMemberEndpoint = endpoint({
  summary: 'Approve, pause, or remove a member; earlier clicks still count',
  access: { allow: 'store', permission: 'programs:write' },
  ids: { program: 'prog', member: 'mem' },
  body: T.Object({ status: T.Union([T.Literal('approved'), T.Literal('paused'), T.Literal('removed')]) }, { additionalProperties: false }),
  reply: memberJson,
  audit: 'member.change',
  async handle({ platform, db, ids, body, now }) {
    const wanted = { storeId: ids.store, programId: ids.program, memberId: ids.member, status: body.status, at: now };
    const changed = await changeMember(db, wanted);
    if (isRefusal(changed)) return changed;
    const { member, former } = changed;
    // The end of a pause is not a new membership.
    if (member.status === 'approved' && (former === 'applied' || former === 'removed')) await notifyOfJoining(db, platform, member);
    return renderMember(db, member);
  },
});
