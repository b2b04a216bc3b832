import { Type as T, type Static } from 'typebox';
import { endpoint } from '../people/endpoint.ts';
import type { Queryable } from '../platform/database/database.ts';
import type { Id } from '../platform/ids.ts';
import { keepWantedMail, mailKinds, unwantedMails } from './wanted-mails-sql.ts';

const fields = {
  joined: T.Boolean({ description: 'A merchant took you into a program' }),
  new_commissions: T.Boolean({ description: 'New sales, once a day' }),
  approved: T.Boolean({ description: 'Commissions that were approved, once a day' }),
  refused: T.Boolean({ description: 'Commissions that were refused, with the reason, once a day' }),
  paid: T.Boolean({ description: 'A payout was sent' }),
  failed: T.Boolean({ description: 'A payout did not work, or came back' }),
};
const choicesJson = T.Object(fields);

async function shown(db: Queryable, creatorId: Id<'crt'>): Promise<Static<typeof choicesJson>> {
  const off = await unwantedMails(db, creatorId);
  return {
    joined: !off.has('joined'),
    new_commissions: !off.has('new_commissions'),
    approved: !off.has('approved'),
    refused: !off.has('refused'),
    paid: !off.has('paid'),
    failed: !off.has('failed'),
  };
}

export const getWantedMailsEndpoint = endpoint({
  summary: 'Which mails a creator gets',
  access: { who: 'creator', permission: 'creator:read' },
  reply: choicesJson,
  handle: ({ db, ids }) => shown(db, ids.creator),
});

export const setWantedMailsEndpoint = endpoint({
  summary: 'Say which mails a creator gets; what is left out stays as it is',
  access: { who: 'creator', permission: 'creator:write' },
  body: T.Partial(T.Object(fields), { additionalProperties: false }),
  reply: choicesJson,
  audit: 'wanted_mails.set',
  async handle({ db, ids, body }) {
    for (const kind of mailKinds) {
      const isWanted = body[kind];
      if (isWanted !== undefined) await keepWantedMail(db, { creatorId: ids.creator, kind, isWanted });
    }
    return shown(db, ids.creator);
  },
});
