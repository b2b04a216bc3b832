import { Type as T } from 'typebox';
import type { Static } from '../core/static.ts';
import { publicId, readPublicId, type Id } from '../core/ids.ts';
import { realNow } from '../core/time.ts';
import type { Queryable } from '../db/database.ts';
import { fieldColumns, type CsvColumn } from '../http/csv.ts';
import { isoTime, isoTimeOrNull, namedObject, orNull, textField, idField } from '../http/fields.ts';
import { pageFields, sortField } from '../http/page.ts';
import { isRefusal, notFound, refuse, type Refusal } from '../http/responses.ts';
import { programsByName, type Program } from '../merchants/programs-sql.ts';
import { endpoint } from '../people/endpoint.ts';
import { emailField, normalizeEmail, strictObject } from '../people/fields.ts';
import { sortedListEndpoint } from '../people/list-endpoint.ts';
import { invitationMessageLengthMax, sendsMax, sendsPerDayMax, skipReasons, startOfSendWindow } from './decide-invitation.ts';
import { findInvitingProgram, inviteCreator, sendAgain } from './invite-creator.ts';
import { inviterOf } from './inviter.ts';
import {
  countSentSince,
  endInvitation,
  invitationSorts,
  invitationStatuses,
  listInvitations,
  lockInvitation,
  type InvitationFilter,
  type ListedInvitation,
} from './invitations-sql.ts';
import { apiMessage } from '../messages/api-message.ts';

const emailsMax = 100;
const canWrite = { allow: 'store', permission: 'programs:write' } as const;

const invitationJson = namedObject('ProgramInvitation', {
  id: T.String(),
  program_id: T.String(),
  program_name: T.String(),
  email: T.String(),
  name: orNull(T.String({ description: 'The name in the import' })),
  message: orNull(T.String()),
  status: T.Enum(invitationStatuses),
  delivery: orNull(
    T.Enum(['waiting', 'sent', 'failed', 'kept'], {
      description:
        'The state of the last email. `failed`: the email server rejected it; `kept`: no email server is configured; null after 90 days',
    }),
  ),
  made_at: T.String(),
  made_by_name: T.String(),
  sent_at: T.String({ description: 'When it was last sent' }),
  sends: T.Integer(),
  expires_at: T.String(),
  ended_at: orNull(T.String()),
  creator_id: orNull(T.String({ description: 'The creator that accepted it' })),
  group_id: T.Optional(T.String({ description: 'The group that the creator joins; absent if the import named none' })),
});
type InvitationJson = Static<typeof invitationJson>;

const showInvitation = (row: ListedInvitation, programs: ReadonlyMap<Id<'prog'>, Program>): InvitationJson => ({
  id: publicId('pinv', row.invitationId),
  program_id: publicId('prog', row.programId),
  program_name: programs.get(row.programId)?.name ?? '',
  email: row.email,
  name: row.creatorName,
  message: row.message,
  status: row.state === 'open' && row.expiresAt <= realNow() ? 'expired' : row.state,
  delivery: row.emailState,
  made_at: isoTime(row.madeAt),
  made_by_name: row.madeByName,
  sent_at: isoTime(row.sentAt),
  sends: row.sends,
  expires_at: isoTime(row.expiresAt),
  ended_at: isoTimeOrNull(row.endedAt),
  creator_id: row.creatorId && publicId('crt', row.creatorId),
  ...(row.groupId === null ? {} : { group_id: publicId('grp', row.groupId) }),
});

export const inviteCreatorsEndpoint = endpoint({
  summary: 'Invite creators to a program by email',
  access: canWrite,
  body: strictObject({
    program_id: idField(),
    emails: T.Array(emailField, { minItems: 1, maxItems: emailsMax }),
    message: T.Optional(orNull(textField(invitationMessageLengthMax))),
  }),
  reply: T.Object({
    results: T.Array(
      T.Object({
        email: T.String(),
        outcome: T.Enum(['invited', ...skipReasons], { description: 'No email is sent unless the result is `invited`' }),
        invitation_id: orNull(T.String()),
      }),
    ),
  }),
  audit: 'creator_invitation.send',
  async handle({ platform, db, ids, body, identity, request }) {
    const programId = readPublicId('prog', body.program_id);
    const to = programId === null ? notFound : await findInvitingProgram(db, { storeId: ids.store, programId });
    if (isRefusal(to)) return to;
    const emails = [...new Set(body.emails.map(normalizeEmail))];
    const refused = await checkDailyLimit(db, ids.store, emails.length);
    if (refused !== null) return refused;
    const by = await inviterOf(db, identity, request);
    const results = [];
    for (const email of emails) {
      const invitee = { email, creatorName: null, message: body.message ?? null, note: null, groupId: null };
      const { outcome, invitationId } = await inviteCreator(db, platform, { to, by, invitee });
      results.push({ email, outcome, invitation_id: invitationId && publicId('pinv', invitationId) });
    }
    return { results };
  },
});

async function checkDailyLimit(db: Queryable, storeId: Id<'store'>, more: number): Promise<Refusal | null> {
  const sent = await countSentSince(db, storeId, startOfSendWindow(realNow()));
  if (sent + more <= sendsPerDayMax) return null;
  return refuse(
    'limit_reached',
    apiMessage('invitations_api.store_can_send_at_most', { sendsPerDayMax, Math: Math.max(0, sendsPerDayMax - sent) }),
  );
}

const columns: ReadonlyArray<CsvColumn<InvitationJson>> = [
  ...fieldColumns('id', 'email', 'name', 'program_id', 'program_name', 'status', 'delivery', 'sent_at', 'expires_at', 'ended_at'),
  ...fieldColumns('creator_id'),
];

export const listInvitationsEndpoint = sortedListEndpoint({
  summary: 'List the invitations of creators, newest first; as a file with Accept: text/csv',
  access: { allow: 'store', permission: 'store:read' },
  query: T.Object(
    {
      ...pageFields,
      status: T.Optional(T.Enum(invitationStatuses)),
      program_id: T.Optional(idField()),
      ...sortField(invitationSorts),
    },
    { additionalProperties: false },
  ),
  item: invitationJson,
  readFilter({ query: { status, program_id: program } }): InvitationFilter | 'none' {
    const programId = program === undefined ? null : readPublicId('prog', program);
    return program !== undefined && programId === null ? 'none' : { status: status ?? null, programId, now: realNow() };
  },
  rows: async ({ db, ids, filter }, page) => (filter === 'none' ? [] : listInvitations(db, ids.store, filter, page)),
  async renderer({ db }, rows) {
    const programs = await programsByName(db, rows);
    return (row) => showInvitation(row, programs);
  },
  sorts: invitationSorts,
  csv: { name: 'invitations.csv', columns },
});

export const resendInvitationEndpoint = endpoint({
  summary: 'Send an invitation again, with a new link and a new period',
  access: canWrite,
  ids: { invitation: 'pinv' },
  reply: invitationJson,
  audit: 'creator_invitation.resend',
  async handle({ platform, db, ids, identity, request }) {
    const invitation = await lockInvitation(db, { storeId: ids.store, invitationId: ids.invitation });
    if (invitation === null) return notFound;
    if (invitation.state !== 'open')
      return refuse('conflict', apiMessage('invitations_api.invitation_cannot_sent_again_because', { state: invitation.state }));
    if (invitation.sends >= sendsMax)
      return refuse('limit_reached', apiMessage('invitations_api.invitation_can_sent_at_most', { sendsMax }));
    const refused = await checkDailyLimit(db, ids.store, 1);
    if (refused !== null) return refused;
    const to = await findInvitingProgram(db, invitation);
    if (isRefusal(to)) return to;
    const sent = await sendAgain(db, platform, { invitation, to, by: await inviterOf(db, identity, request) });
    return showInvitation({ ...sent, emailState: 'waiting' }, new Map([[to.program.programId, to.program]]));
  },
});

export const revokeInvitationEndpoint = endpoint({
  summary: 'Revoke an invitation; its link can then no longer be used to join the program',
  access: canWrite,
  ids: { invitation: 'pinv' },
  status: 204,
  audit: 'creator_invitation.revoke',
  async handle({ db, ids }) {
    const invitation = await lockInvitation(db, { storeId: ids.store, invitationId: ids.invitation });
    if (invitation === null) return notFound;
    const ended = await endInvitation(db, { invitationId: ids.invitation, event: 'revoke', at: realNow() });
    return ended === null ? refuse('conflict', apiMessage('invitations_api.invitation_already', { state: invitation.state })) : undefined;
  },
});
