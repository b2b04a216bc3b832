import { Type as T } from 'typebox';
import { endpoint } from '../people/endpoint.ts';
import { isRefusal } from '../http/responses.ts';
import { isoTime, namedObject, orNull } from '../http/fields.ts';
import { pageOf, pageQuery, pageReply, readPage, uuidShape } from '../http/page.ts';
import { publicId } from '../core/ids.ts';
import { listVerifications } from './verifications-sql.ts';

const verificationJson = namedObject('Verification', {
  id: T.String(),
  at: T.String(),
  by: T.String({ description: '`system`: the job of the night' }),
  by_name: T.String(),
  took_ms: orNull(T.Integer({ description: 'Null, as checks and found, of those from before they were kept' })),
  checked: T.Integer({ description: 'How many rows were looked at, in all checks together' }),
  differences: T.Integer(),
  checks: orNull(T.Array(T.Object({ what: T.String(), checked: T.Integer(), differences: T.Integer() }))),
  found: orNull(
    T.Array(T.Object({ what: T.String(), store_id: T.String({ description: 'Empty where a check itself failed' }), detail: T.String() }), {
      description: 'The first ones',
    }),
  ),
});

export const listVerificationsEndpoint = endpoint({
  summary: 'What each verification found, by night or asked for, the latest first',
  access: { allow: 'operator' },
  query: pageQuery,
  reply: pageOf(verificationJson),
  async handle({ db, query }) {
    const page = readPage(query, [uuidShape]);
    if (isRefusal(page)) return page;
    return pageReply(
      await listVerifications(db, page),
      page,
      ({ verificationId, at, requestedBy, requestedByName, tookMs, checked, differences, checks, found }) => ({
        id: publicId('ver', verificationId),
        at: isoTime(at),
        by: requestedBy,
        by_name: requestedByName,
        took_ms: tookMs === null ? null : Number(tookMs),
        checked: Number(checked),
        differences,
        checks: checks && [...checks],
        found: found && [...found],
      }),
      ({ verificationId }) => [verificationId],
    );
  },
});
