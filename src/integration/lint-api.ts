import { Type as T } from 'typebox';
import type { Static } from '../core/static.ts';
import type { KeyRing } from '../clicks/signing-keys.ts';
import { explain } from '../contract/explain.ts';
import { speechToMerchants } from '../contract/speech.ts';
import type { Operation } from '../contract/reasons.ts';
import { replyOf, type ExplainedOutcome, type Outcome } from '../contract/reply.ts';
import { lintPostback, lintTextLengthMax, type Lint, type LintError } from '../lint/lint.ts';
import type { CurlRead } from '../lint/read-curl.ts';
import { storesBeyondClicks } from '../merchants/terms-sql.ts';
import { loadCreatorNames } from '../creators/name-creators.ts';
import { findStore } from '../merchants/stores-sql.ts';
import { endpoint, type Endpoint } from '../people/endpoint.ts';
import { notFound } from '../http/responses.ts';
import { namedObject, orNull } from '../http/fields.ts';
import { maskKeysIn } from '../core/mask-keys.ts';
import { dryRun } from './dry-run.ts';

const operationWord = T.Union([
  T.Literal('conversion'),
  T.Literal('reversal'),
  T.Literal('order_refund'),
  T.Literal('relationship'),
  T.Literal('billing_event'),
  T.Literal('invoice_reversal'),
  T.Literal('invoice_refund'),
  T.Literal('relationship_end'),
  T.Literal('lead'),
  T.Literal('lead_reversal'),
]);

const errorJson = namedObject('LintError', { reason: T.String(), status: T.Integer(), field: orNull(T.String()), message: T.String() });

/** The reply of the real decision at this time. */
const answerJson = namedObject('LintResponse', {
  status: T.Integer(),
  reason: T.String(),
  explanation: T.String({ description: 'The explanation, in a sentence with the compared values' }),
  body: T.Object({}, { additionalProperties: true, description: 'The expected response; identifiers are examples' }),
});

const lintJson = namedObject('LintResult', {
  operation: orNull(T.String({ description: 'The detected operation; null if it was not recognized' })),
  faults: T.Array(errorJson),
  warnings: T.Array(T.Object({ code: T.String(), field: orNull(T.String()), message: T.String() })),
  answer: orNull(answerJson),
  corrected: orNull(
    T.Object({
      body: T.String(),
      changes: T.Array(T.Object({ field: T.String(), message: T.String() })),
      faults: T.Array(errorJson),
      answer: orNull(answerJson),
    }),
  ),
});

/** Validates a report before it is sent, with this store's orders, clicks, and terms. Stores nothing. */
export const lintReport = (ring: KeyRing): Endpoint =>
  endpoint({
    summary: 'Check a postback without sending it: returns errors, warnings, a corrected body, and the expected response',
    access: { allow: 'store', permission: 'store:read' },
    body: T.Object(
      {
        operation: T.Optional(orNull(operationWord)),
        text: T.String({ minLength: 1, maxLength: lintTextLengthMax, description: 'A body, or a whole curl command' }),
      },
      { additionalProperties: false },
    ),
    reply: lintJson,
    inTransaction: false,
    async handle({ platform, db, ids, body, now }) {
      const store = await findStore(db, ids.store);
      if (store === null) return notFound;
      const lint = lintPostback({ operation: body.operation ?? null, text: body.text, now });
      const answerTo = async (text: string, contentType: string) => {
        if (lint.operation === null) return null;
        const result = await dryRun({ platform, ring, store, now }, { operation: lint.operation, body: text, contentType });
        const nameCreators = await loadCreatorNames(db, [result.why]);
        return showAnswer({ ...result, why: nameCreators(result.why) }, lint.operation);
      };
      const { operation, warnings, curlRead } = lint;
      const needsClick = !(await storesBeyondClicks(db, [{ storeId: ids.store }])).has(ids.store);
      const isShown = ({ reason }: LintError) => needsClick || reason !== 'missing_referral_click';
      const errors = lint.faults.filter(isShown);
      const corrected = lint.corrected && { ...lint.corrected, faults: lint.corrected.faults.filter(isShown) };
      return maskKeysIn({
        operation,
        faults: [...errors],
        warnings: [...warnings],
        answer: await answerOf(lint, body.text, answerTo),
        corrected: corrected && {
          body: corrected.body,
          changes: [...corrected.changes],
          faults: [...corrected.faults],
          answer: curlRead?.operation === null ? null : await answerTo(corrected.body, json),
        },
      });
    },
  });

const json = 'application/json';
type Shown = Static<typeof answerJson>;
type AnswerTo = (text: string, contentType: string) => Promise<Shown | null>;

/** URL, method, and key are checked before the body. */
async function answerOf({ operation, curlRead, faults: errors }: Lint, text: string, answerTo: AnswerTo): Promise<Shown | null> {
  if (curlRead === null) return answerTo(text, json);
  const refusal = refusalBefore(curlRead, errors);
  if (refusal !== null) return showAnswer({ outcome: refusal, why: {} }, operation);
  // The content of a file is not available here.
  return curlRead.bodyFile === null ? answerTo(curlRead.body ?? '', curlRead.contentType) : null;
}

function refusalBefore({ operation, method, hasKey }: CurlRead, errors: readonly LintError[]): Outcome | null {
  if (operation === null) return { reason: 'not_found' };
  if (method !== 'POST') return { reason: 'method_not_allowed' };
  return !hasKey || errors.some(({ reason }) => reason === 'missing_postback_key') ? { reason: 'missing_postback_key' } : null;
}

function showAnswer({ outcome, why }: ExplainedOutcome, operation: Operation | null): Shown {
  const { status, body } = replyOf(outcome, operation);
  const explanation =
    outcome.message ?? (operation === null ? body.message : explain({ operation, reason: outcome.reason, why }, speechToMerchants));
  return { status, reason: outcome.reason, explanation, body: { ...body } };
}
