import { Type as T } from 'typebox';
import type { Static } from '../core/static.ts';
import { endpoint } from '../people/endpoint.ts';
import type { Queryable } from '../db/database.ts';
import type { Id } from '../core/ids.ts';
import { saveEmailPreference, creatorEmailKinds, listDisabledEmails } from './email-preferences-sql.ts';
import { namedObject } from '../http/fields.ts';

const fields = {
  joined: T.Boolean({ description: 'A merchant approved you for a program' }),
  new_commissions: T.Boolean({ description: 'New sales, once a day' }),
  approved: T.Boolean({ description: 'Commissions that were approved, once a day' }),
  refused: T.Boolean({ description: 'Commissions that were rejected, with the reason, once a day' }),
  paid: T.Boolean({ description: 'A payout was sent' }),
  failed: T.Boolean({ description: 'A payout failed or was returned' }),
};
const preferencesJson = namedObject('CreatorEmailPreferences', fields);

async function renderPreferences(db: Queryable, creatorId: Id<'crt'>): Promise<Static<typeof preferencesJson>> {
  const off = await listDisabledEmails(db, creatorId);
  return {
    joined: !off.has('joined'),
    new_commissions: !off.has('new_commissions'),
    approved: !off.has('approved'),
    refused: !off.has('refused'),
    paid: !off.has('paid'),
    failed: !off.has('failed'),
  };
}

export const getEmailPreferencesEndpoint = endpoint({
  summary: 'Get the email preferences of a creator',
  access: { allow: 'creator', permission: 'creator:read' },
  reply: preferencesJson,
  handle: ({ db, ids }) => renderPreferences(db, ids.creator),
});

export const setEmailPreferencesEndpoint = endpoint({
  summary: 'Change the email preferences of a creator; omitted fields stay as they are',
  access: { allow: 'creator', permission: 'creator:write' },
  body: T.Partial(T.Object(fields), { additionalProperties: false }),
  reply: preferencesJson,
  audit: 'wanted_mails.set',
  async handle({ db, ids, body }) {
    for (const kind of creatorEmailKinds) {
      const isWanted = body[kind];
      if (isWanted !== undefined) await saveEmailPreference(db, { creatorId: ids.creator, kind, isWanted });
    }
    return renderPreferences(db, ids.creator);
  },
});
