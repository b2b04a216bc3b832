import { Type as T } from 'typebox';
import type { Static } from '../core/static.ts';
import { publicId, type Id } from '../core/ids.ts';
import { joinedStatuses } from '../creators/membership-states.ts';
import {
  isLeaderboardNameTaken,
  listStoresOfCreator,
  lockMember,
  lockOwnMembership,
  removeLeaderboardName,
  setLeaderboardName,
  wasLeaderboardNameRemoved,
} from '../creators/members-sql.ts';
import type { Queryable } from '../db/database.ts';
import { isoTime, nameField, namedObject, orNull } from '../http/fields.ts';
import { pageFields, pageReply, readPage, uuidShape } from '../http/page.ts';
import { isRefusal, notFound, refuse } from '../http/responses.ts';
import { findProgram, lockProgram, setHasLeaderboard, type ProgramName } from '../merchants/programs-sql.ts';
import { storesById } from '../merchants/stores-sql.ts';
import { apiMessage } from '../messages/api-message.ts';
import { endpoint } from '../people/endpoint.ts';
import { strictObject } from '../people/fields.ts';
import { listOwnLeaderboards, rankMembers, type LeaderboardRow, type OwnLeaderboard } from './leaderboards-sql.ts';

const entriesMax = 20;
/** Of one program; takes about a tenth of a second. */
const commissionsMax = 200_000;
/** Each leaderboard of a page reads its program's commissions. */
const pageDefault = 10;
const pageMax = 20;
const displayNameLengthMax = 60;

const boardFields = {
  month: T.String({ description: 'The current calendar month in UTC, such as `2026-05`' }),
  is_complete: T.Boolean({ description: `False: only the newest ${commissionsMax} approved commissions of the month were counted` }),
};
const entryFields = {
  rank: T.Integer({ description: 'Equal counts have the same rank' }),
  name: T.String({ description: 'The display name that the creator chose' }),
  approved: T.Integer({ description: 'Commissions approved this month, without those rejected or reversed since' }),
};
const entriesDescription = `Members who chose to appear and have approved commissions, at most ${entriesMax}`;

type Board = {
  readonly month: string;
  readonly isComplete: boolean;
  readonly own: LeaderboardRow | null;
  readonly listed: readonly LeaderboardRow[];
};

async function readBoard(db: Queryable, of: ProgramName, { ownId, now }: { readonly ownId: Id<'crt'> | null; readonly now: Date }) {
  const month = now.toISOString().slice(0, 7);
  const rows = await rankMembers(db, of, { ownId, from: new Date(`${month}-01T00:00:00Z`), commissionsMax, rowsMax: entriesMax });
  return {
    month,
    isComplete: Number(rows[0]?.looked ?? 0n) < commissionsMax,
    own: rows.find(({ creatorId }) => creatorId === ownId) ?? null,
    // The own row is first, whatever its rank.
    listed: rows
      .filter(({ name }) => name !== null)
      .toSorted((one, other) => Number(one.rank - other.rank) || (one.name ?? '').localeCompare(other.name ?? ''))
      .slice(0, entriesMax),
  } satisfies Board;
}

const showEntry = ({ rank, name, approved }: LeaderboardRow) => ({ rank: Number(rank), name: name ?? '', approved: Number(approved) });

const leaderboardJson = namedObject('Leaderboard', {
  program_id: T.String(),
  program_name: T.String(),
  store_id: T.String(),
  store_name: T.String(),
  member_id: T.String({ description: 'The creator’s membership in the program' }),
  display_name: orNull(T.String({ description: 'The name under which the creator appears; null if they do not appear' })),
  removed: orNull(
    T.Object(
      { name: T.String(), at: T.String() },
      { description: 'The name that the store removed. Null if it removed none, or if the creator made another choice since' },
    ),
  ),
  ...boardFields,
  own: T.Object({
    rank: orNull(T.Integer({ description: 'Among the members who appear; null without approved commissions' })),
    approved: entryFields.approved,
  }),
  entries: T.Array(T.Object({ ...entryFields, is_own: T.Boolean() }), { description: entriesDescription }),
});

export const listLeaderboardsEndpoint = endpoint({
  summary: "List the leaderboards of a creator's programs for the current month, newest membership first",
  access: { allow: 'creator', permission: 'creator:read' },
  query: T.Object(
    {
      ...pageFields,
      limit: T.Optional(T.Integer({ minimum: 1, maximum: pageMax, description: `The number of leaderboards; ${pageDefault} by default` })),
    },
    { additionalProperties: false },
  ),
  reply: namedObject('Leaderboards', { data: T.Array(leaderboardJson), next_cursor: orNull(T.String()) }),
  async handle({ db, ids: { creator: creatorId }, query, now }) {
    const page = readPage({ ...query, limit: query.limit ?? pageDefault }, [uuidShape]);
    if (isRefusal(page)) return page;
    const found = await listOwnLeaderboards(db, { creatorId, storeIds: await listStoresOfCreator(db, creatorId) }, page);
    const stores = await storesById(
      db,
      found.map(({ storeId }) => storeId),
    );
    const shown = new Map<Id<'mem'>, Static<typeof leaderboardJson>>();
    for (const of of found.slice(0, page.limit)) {
      const board = await readBoard(db, of, { ownId: creatorId, now });
      shown.set(of.memberId, showLeaderboard(of, stores.get(of.storeId)?.name ?? '', board));
    }
    const { next_cursor } = pageReply(
      found,
      page,
      ({ memberId }) => memberId,
      ({ memberId }) => [memberId],
    );
    return { data: [...shown.values()], next_cursor };
  },
});

const removedName = ({ displayName, removedName: name, removedAt: at }: OwnLeaderboard) =>
  displayName !== null || name === null || at === null ? null : { name, at: isoTime(at) };

const showLeaderboard = (of: OwnLeaderboard, storeName: string, board: Board): Static<typeof leaderboardJson> => ({
  program_id: publicId('prog', of.programId),
  program_name: of.programName,
  store_id: publicId('store', of.storeId),
  store_name: storeName,
  member_id: publicId('mem', of.memberId),
  display_name: of.displayName,
  removed: removedName(of),
  month: board.month,
  is_complete: board.isComplete,
  own: { rank: board.own && Number(board.own.rank), approved: Number(board.own?.approved ?? 0n) },
  entries: board.listed.map((row) => ({ ...showEntry(row), is_own: row === board.own })),
});

export const setLeaderboardNameEndpoint = endpoint({
  summary: 'Choose the name under which a creator appears on the leaderboard of a program; null: does not appear',
  access: { allow: 'creator', permission: 'creator:write' },
  ids: { member: 'mem' },
  body: strictObject({
    display_name: orNull(nameField(displayNameLengthMax)),
  }),
  status: 204,
  audit: 'member.leaderboard',
  async handle({ db, ids: { creator: creatorId, member: memberId }, body: { display_name: name } }) {
    const member = await lockOwnMembership(db, { creatorId, storeIds: await listStoresOfCreator(db, creatorId), memberId });
    if (member === null) return notFound;
    if (name !== null && !joinedStatuses.some((status) => status === member.status))
      return refuse('conflict', apiMessage('leaderboards_api.only_members_appear'));
    if (name !== null) {
      await lockProgram(db, member);
      if (await wasLeaderboardNameRemoved(db, member, name)) return refuseName(apiMessage('leaderboards_api.name_removed'));
      if (await isLeaderboardNameTaken(db, member, name)) return refuseName(apiMessage('leaderboards_api.name_taken'));
    }
    await setLeaderboardName(db, member, name);
    return undefined;
  },
});

const refuseName = (message: string) =>
  refuse('unprocessable', apiMessage('leaderboards_api.name_invalid'), [{ field: 'display_name', message }]);

const storeLeaderboardJson = namedObject('StoreLeaderboard', {
  is_on: T.Boolean({ description: 'Whether members of the program see it and can choose to appear' }),
  ...boardFields,
  entries: T.Array(T.Object({ ...entryFields, creator_id: T.String(), member_id: T.String() }), {
    description: `${entriesDescription}; empty while it is off`,
  }),
});

async function showStoreLeaderboard(db: Queryable, of: ProgramName, { isOn, now }: { readonly isOn: boolean; readonly now: Date }) {
  const { month, isComplete, listed } = await readBoard(db, of, { ownId: null, now });
  const entries = listed.map((row) => ({
    ...showEntry(row),
    creator_id: publicId('crt', row.creatorId),
    member_id: publicId('mem', row.memberId),
  }));
  return { is_on: isOn, month, is_complete: isComplete, entries: isOn ? entries : [] };
}

export const getStoreLeaderboardEndpoint = endpoint({
  summary: "Get a program's leaderboard for the current month, and whether it is on",
  access: { allow: 'store', permission: 'store:read' },
  ids: { program: 'prog' },
  reply: storeLeaderboardJson,
  async handle({ db, ids, now }) {
    const of = { storeId: ids.store, programId: ids.program };
    const program = await findProgram(db, of);
    return program === null ? notFound : showStoreLeaderboard(db, of, { isOn: program.hasLeaderboard, now });
  },
});

export const setStoreLeaderboardEndpoint = endpoint({
  summary: "Switch a program's leaderboard on or off; members who appear keep their choice",
  access: { allow: 'store', permission: 'programs:write' },
  ids: { program: 'prog' },
  body: strictObject({ is_on: T.Boolean() }),
  reply: storeLeaderboardJson,
  audit: 'program.leaderboard',
  async handle({ db, ids, body: { is_on: isOn }, now }) {
    const of = { storeId: ids.store, programId: ids.program };
    if ((await lockProgram(db, of)) === null) return notFound;
    await setHasLeaderboard(db, of, isOn);
    return showStoreLeaderboard(db, of, { isOn, now });
  },
});

export const removeLeaderboardNameEndpoint = endpoint({
  summary: "Remove a member's display name from the leaderboard; the creator can choose another one",
  access: { allow: 'store', permission: 'programs:write' },
  ids: { program: 'prog', member: 'mem' },
  reply: storeLeaderboardJson,
  audit: 'member.leaderboard_name_removed',
  async handle({ db, ids, now }) {
    const of = { storeId: ids.store, programId: ids.program };
    const program = await findProgram(db, of);
    const member = await lockMember(db, { ...of, memberId: ids.member });
    if (program === null || member === null) return notFound;
    if ((await removeLeaderboardName(db, member, now)) === 0) return refuse('conflict', apiMessage('leaderboards_api.does_not_appear'));
    return showStoreLeaderboard(db, of, { isOn: program.hasLeaderboard, now });
  },
});
