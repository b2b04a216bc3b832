import { Type as T } from 'typebox';
import type { Static } from '../core/static.ts';
import { endpoint } from '../people/endpoint.ts';
import { isoTime, isoTimeOrNull, namedObject, orNull } from '../http/fields.ts';
import { publicId } from '../core/ids.ts';
import { creatorJson, renderCreator } from './creators-api.ts';
import type { Platform } from '../runtime/platform.ts';
import { copySuspensionsSoon } from './copy-suspensions.ts';
import { findCreator } from './creators-sql.ts';
import { listSuspensions, type Suspension } from './suspensions-sql.ts';
import { suspendCreator, unsuspendCreator } from './suspensions.ts';
import { listEndpoint } from '../people/list-endpoint.ts';

const reasonLengthMax = 500;
const noteLengthMax = 2_000;
/** One line of text, because it becomes part of an email. */
const reasonField = T.String({ minLength: 1, maxLength: reasonLengthMax, pattern: String.raw`^(?=.*\S)[^\p{Cc}\p{Cs}]+$` });
const noteField = T.String({ maxLength: noteLengthMax, pattern: String.raw`^[^\u0000\p{Cs}]*$` });

async function afterCommit({ platform }: { readonly platform: Platform }, creator: Static<typeof creatorJson>) {
  await copySuspensionsSoon(platform);
  return creator;
}

export const suspendCreatorEndpoint = endpoint({
  summary: 'Suspend a creator: stops payouts, holds new commissions, and emails the reason to the creator',
  access: { allow: 'operator' },
  ids: { creator: 'crt' },
  body: T.Object(
    {
      reason: T.Optional(orNull({ ...reasonField, description: 'Shown to the creator' })),
      note: T.Optional(orNull({ ...noteField, description: 'Shown to operators only' })),
    },
    { additionalProperties: false },
  ),
  isBodyOptional: true,
  reply: creatorJson,
  audit: 'creator.suspend',
  async handle({ platform, db, ids, identity, body, now }) {
    const { reason = null, note = null } = body;
    await suspendCreator(db, platform, { creatorId: ids.creator, reason, note: note === '' ? null : note, by: identity, at: now });
    return renderCreator(db, await findCreator(db, ids.creator));
  },
  afterCommit,
});

export const unsuspendCreatorEndpoint = endpoint({
  summary: 'End a suspension, and email the creator',
  access: { allow: 'operator' },
  proof: true,
  ids: { creator: 'crt' },
  reply: creatorJson,
  audit: 'creator.unsuspend',
  async handle({ platform, db, ids, identity, now }) {
    await unsuspendCreator(db, platform, { creatorId: ids.creator, by: identity, at: now });
    return renderCreator(db, await findCreator(db, ids.creator));
  },
  afterCommit,
});

const suspensionJson = namedObject('Suspension', {
  id: T.String(),
  reason: orNull(T.String()),
  note: orNull(T.String()),
  suspended_at: T.String(),
  suspended_by_name: T.String(),
  ended_at: orNull(T.String()),
  ended_by_name: orNull(T.String()),
});

const show = (suspension: Suspension): Static<typeof suspensionJson> => ({
  id: publicId('susp', suspension.suspensionId),
  reason: suspension.reason,
  note: suspension.note,
  suspended_at: isoTime(suspension.suspendedAt),
  suspended_by_name: suspension.suspendedByName,
  ended_at: isoTimeOrNull(suspension.endedAt),
  ended_by_name: suspension.endedByName,
});

export const listSuspensionsEndpoint = listEndpoint({
  summary: "List a creator's suspensions with reason and note, newest first",
  access: { allow: 'operator', of: 'creator' },
  ids: { creator: 'crt' },
  item: suspensionJson,
  rows: ({ db, ids }, page) => listSuspensions(db, ids.creator, page),
  renderer: () => show,
  key: ({ suspensionId }) => [suspensionId],
});
