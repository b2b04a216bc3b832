import { Type as T } from 'typebox';
import { isoTime, namedObject, orNull } from '../http/fields.ts';
import { publicId } from '../core/ids.ts';
import { listVerifications, type StoredVerification } from './verifications-sql.ts';
import { listEndpoint } from '../people/list-endpoint.ts';

const verificationJson = namedObject('Verification', {
  id: T.String(),
  at: T.String(),
  by: T.String({ description: '`system`: the scheduled job' }),
  by_name: T.String(),
  took_ms: orNull(T.Integer({ description: 'Null, like checks and found, for verifications before these were stored' })),
  checked: T.Integer({ description: 'How many rows all checks compared' }),
  differences: T.Integer(),
  checks: orNull(T.Array(T.Object({ what: T.String(), checked: T.Integer(), differences: T.Integer() }))),
  found: orNull(
    T.Array(T.Object({ what: T.String(), store_id: T.String({ description: 'Empty if the check itself failed' }), detail: T.String() }), {
      description: 'The first differences',
    }),
  ),
});

export const listVerificationsEndpoint = listEndpoint({
  summary: 'List the verifications with their results, newest first',
  access: { allow: 'operator' },
  item: verificationJson,
  rows: ({ db }, page) => listVerifications(db, page),
  renderer: () => showVerification,
  key: ({ verificationId }) => [verificationId],
});

const showVerification = (made: StoredVerification) => ({
  id: publicId('ver', made.verificationId),
  at: isoTime(made.at),
  by: made.requestedBy,
  by_name: made.requestedByName,
  took_ms: made.tookMs === null ? null : Number(made.tookMs),
  checked: Number(made.checked),
  differences: made.differences,
  checks: made.checks && [...made.checks],
  found: made.found && [...made.found],
});
