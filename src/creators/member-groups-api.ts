import { Type as T } from 'typebox';
import type { Static } from '../core/static.ts';
import { newId, publicId } from '../core/ids.ts';
import { isoTime, nameField, namedObject, orNull, idField } from '../http/fields.ts';
import { isRefusal, notFound, refuse } from '../http/responses.ts';
import { countGroups, findGroupOfName, insertGroup, listGroups, renameGroup, type MemberGroup } from '../merchants/member-groups-sql.ts';
import { findProgram, lockProgram } from '../merchants/programs-sql.ts';
import { endpoint } from '../people/endpoint.ts';
import { strictObject } from '../people/fields.ts';
import { listEndpoint } from '../people/list-endpoint.ts';
import { apiMessage } from '../messages/api-message.ts';
import { sizesOfGroups } from './group-moves-sql.ts';
import { moveMember } from './move-member.ts';

const groupsMax = 100;
const nameLengthMax = 100;

const groupJson = namedObject('MemberGroup', {
  id: T.String(),
  program_id: T.String(),
  name: T.String(),
  members: T.Integer({ description: 'How many members are in the group now' }),
  created_at: T.String(),
});

const showGroup = ({ groupId, programId, name, createdAt }: MemberGroup, members: number): Static<typeof groupJson> => ({
  id: publicId('grp', groupId),
  program_id: publicId('prog', programId),
  name,
  members,
  created_at: isoTime(createdAt),
});

const groupBody = strictObject({ name: nameField(nameLengthMax) });
const nameTaken = refuse('conflict', apiMessage('member_groups.name_taken'));

export const createGroupEndpoint = endpoint({
  summary: 'Create a group of members; terms can have rates for it',
  access: { allow: 'store', permission: 'programs:write' },
  ids: { program: 'prog' },
  body: groupBody,
  reply: groupJson,
  status: 201,
  audit: 'group.create',
  async handle({ db, ids, body, now }) {
    const of = { storeId: ids.store, programId: ids.program };
    if ((await lockProgram(db, of)) === null) return notFound;
    if ((await countGroups(db, of)) >= groupsMax) return refuse('limit_reached', apiMessage('member_groups.at_most', { groupsMax }));
    const group = await insertGroup(db, { ...of, groupId: newId<'grp'>(now), name: body.name, createdAt: now });
    return group === null ? nameTaken : showGroup(group, 0);
  },
});

export const listGroupsEndpoint = listEndpoint({
  summary: "List the groups of a program's members, newest first",
  access: { allow: 'store', permission: 'store:read' },
  ids: { program: 'prog' },
  item: groupJson,
  exists: async ({ db, ids }) => (await findProgram(db, { storeId: ids.store, programId: ids.program })) !== null,
  rows: ({ db, ids }, page) => listGroups(db, { storeId: ids.store, programId: ids.program }, page),
  renderer: async ({ db, ids }) => {
    const sizes = await sizesOfGroups(db, ids.store, ids.program);
    return (group) => showGroup(group, sizes.get(group.groupId) ?? 0);
  },
  key: ({ groupId }) => [groupId],
});

export const renameGroupEndpoint = endpoint({
  summary: 'Rename a group; its rates and members stay',
  access: { allow: 'store', permission: 'programs:write' },
  ids: { program: 'prog', group: 'grp' },
  body: groupBody,
  reply: groupJson,
  audit: 'group.rename',
  async handle({ db, ids, body }) {
    const of = { storeId: ids.store, programId: ids.program };
    if ((await lockProgram(db, of)) === null) return notFound;
    const other = await findGroupOfName(db, of, body.name);
    if (other !== null && other !== ids.group) return nameTaken;
    const group = await renameGroup(db, { ...of, groupId: ids.group }, body.name);
    return group === null ? notFound : showGroup(group, (await sizesOfGroups(db, ids.store, ids.program)).get(group.groupId) ?? 0);
  },
});

const movedJson = namedObject('GroupOfMember', { member_id: T.String(), group_id: orNull(T.String()) });

export const moveMemberEndpoint = endpoint({
  summary: 'Move a member into a group, or out of one; orders from now on earn by its rates',
  access: { allow: 'store', permission: 'programs:write' },
  proof: true,
  liveKeys: 'permitted',
  ids: { program: 'prog', member: 'mem' },
  body: strictObject({ group_id: orNull(idField()) }),
  reply: movedJson,
  audit: 'member.group',
  async handle({ db, ids, body, now }) {
    const of = { storeId: ids.store, programId: ids.program, memberId: ids.member };
    const moved = await moveMember(db, { ...of, groupId: body.group_id, at: now });
    if (isRefusal(moved)) return moved;
    return { member_id: publicId('mem', of.memberId), group_id: moved.groupId && publicId('grp', moved.groupId) };
  },
});
