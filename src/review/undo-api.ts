import { Type as T } from 'typebox';
import { endpoint } from '../people/endpoint.ts';
import { isTransaction } from '../platform/database/database.ts';
import { refuse } from '../platform/http/answers.ts';
import { readPublicId } from '../platform/ids.ts';
import { must } from '../platform/must.ts';
import { wordCountsJson } from './counts-json.ts';
import { reviewedPerTransactionMax } from './review.ts';
import { undoStretch } from './undo.ts';

const idLengthMax = 40;
const decisionId = T.String({ maxLength: idLengthMax });

export const undoDecisionsEndpoint = endpoint({
  summary: 'Take decisions back: each commission is again as it was, unless somebody decided on it since or it is billed',
  access: { who: 'store', permission: 'commissions:review' },
  body: T.Object(
    { first: decisionId, last: decisionId },
    {
      additionalProperties: false,
      description: 'One of `decided` in the answer to a decision: what one transaction decided',
    },
  ),
  reply: T.Object({ counts: wordCountsJson }),
  audit: 'commissions.undo',
  async handle({ platform, db, ids, body, identity }) {
    must(isTransaction(db), 'what changes something runs in a transaction');
    const [first, last] = [readPublicId('dec', body.first), readPublicId('dec', body.last)];
    if (first === null || last === null)
      return refuse('invalid_request', 'The body is not right; see errors.', [
        { field: first === null ? 'first' : 'last', message: 'is no id of a decision: take it from `decided` of an answer' },
      ]);
    const by = { actor: identity.actor, name: identity.name };
    const counts = await undoStretch(db, { storeId: ids.store, by, now: platform.clock.now }, { first, last });
    if (counts === 'too_many')
      return refuse(
        'limit_reached',
        `At most ${reviewedPerTransactionMax} decisions are taken back in one call; ask for those of one answer.`,
      );
    return { counts };
  },
});
