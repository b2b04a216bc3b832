import { Type as T, type Static } from 'typebox';
import { explain } from '../contract/explain.ts';
import { FieldError, type JsonObject } from '../contract/fields.ts';
import { postbackBytesMax } from '../contract/request-checks.ts';
import { statusOf } from '../contract/reasons.ts';
import { readTimestamp } from '../contract/timestamp.ts';
import { nextTerms, readTermsDraft, termsBody } from '../merchants/program-terms.ts';
import { findProgram } from '../merchants/programs-sql.ts';
import { termsOfProgram } from '../merchants/terms-sql.ts';
import { termsInForce, type Terms } from '../merchants/terms.ts';
import { endpoint } from '../people/endpoint.ts';
import { isRefusal, notFound, refuse, type Refusal } from '../http/responses.ts';
import { isoTime, namedObject, orNull, singleAmountField } from '../http/fields.ts';
import { newId, type Id } from '../core/ids.ts';
import { hourMs } from '../core/time.ts';
import { conversionOutcome, decideConversion, type ConversionDecision } from './decide-conversion.ts';
import { readConversion, type ConversionReport } from './report.ts';

const timeLengthMax = 40;

const simulateBody = T.Object(
  {
    order: T.Record(T.String(), T.Unknown(), {
      description: 'Fields of a conversion, such as order_subtotal_cents, occurred_at, and line_items; omitted fields are filled in',
    }),
    clicked_at: T.Optional(
      T.String({ maxLength: timeLengthMax, description: 'The time of the click; one hour before the order by default' }),
    ),
    terms: T.Optional(
      T.Object(termsBody.properties, {
        additionalProperties: false,
        description: 'A draft version of the terms, to use instead of those in force',
      }),
    ),
  },
  { additionalProperties: false },
);

const earnedJson = T.Object({
  product_id: orNull(T.String()),
  of_cents: singleAmountField(),
  quantity: T.Integer(),
  basis_points: orNull(T.Integer()),
  flat_cents: orNull(singleAmountField()),
  amount_cents: singleAmountField(),
});

const simulated = namedObject('SimulationResult', {
  status: T.Integer({ description: 'The response that the postback would get' }),
  reason: T.String(),
  explanation: T.String(),
  commission_cents: orNull(singleAmountField()),
  eligible_cents: orNull(singleAmountField()),
  earned: T.Array(earnedJson),
  terms_version: orNull(T.Integer()),
  hold_until: orNull(T.String()),
  approves_itself_at: orNull(T.String()),
});

/** Runs the decision of real orders on an order from the request, and stores nothing. */
export const simulateOrder = endpoint({
  summary: 'Simulate an order: what it would earn, by the rules for real orders; records nothing',
  access: { allow: 'store', permission: 'store:read' },
  ids: { program: 'prog' },
  body: simulateBody,
  reply: simulated,
  inTransaction: false,
  async handle({ db, ids, body, now }) {
    const of = { storeId: ids.store, programId: ids.program };
    const program = await findProgram(db, of);
    if (program === null) return notFound;
    const report = readOrder(body.order, now);
    if (isRefusal(report)) return report;
    const clickedAt = readClickedAt(body.clicked_at, report);
    if (isRefusal(clickedAt)) return clickedAt;
    const versions = await termsOfProgram(db, of);
    const draft = body.terms === undefined ? null : nextTerms(program, readTermsDraft(body.terms), { versions, at: now });
    if (draft !== null && isRefusal(draft)) return draft;
    const occurredAt = report.occurredAt === 'unreadable' ? now : report.occurredAt;
    const terms = draft ?? termsInForce(versions, occurredAt);
    if (terms === null) return refuse('terms_missing', 'The program has no terms yet. Add a version, or send terms to simulate.');
    return toSimulation(simulate(report, { ...of, now, clickedAt, terms }));
  },
});

/** Fills in the required fields that do not matter for the question. */
function readOrder(order: Readonly<Record<string, unknown>>, now: Date): ConversionReport | Refusal {
  if (Buffer.byteLength(JSON.stringify(order)) > postbackBytesMax)
    return refuse('invalid_request', 'The order is too large. See errors.', [
      { field: 'order', message: `must have at most ${postbackBytesMax} bytes` },
    ]);
  const filled: JsonObject = { order_id: 'simulated', click_id: 'simulated', currency: 'USD', occurred_at: now.toISOString(), ...order };
  const report = readConversion({ ...filled, test: false });
  if (!(report instanceof FieldError)) return report;
  return refuse('invalid_request', 'The order is invalid. See errors.', [
    { field: `order${report.field.replaceAll('/', '.')}`, message: report.message },
  ]);
}

function readClickedAt(text: string | undefined, { occurredAt }: ConversionReport): Date | Refusal {
  const before = occurredAt === 'unreadable' ? new Date(0) : new Date(occurredAt.getTime() - hourMs);
  const clickedAt = text === undefined ? before : readTimestamp(text);
  if (clickedAt !== 'unreadable') return clickedAt;
  return refuse('invalid_request', 'The request body is invalid. See errors.', [
    { field: 'clicked_at', message: 'must be a time such as 2026-03-01T12:00:00.000Z' },
  ]);
}

type SimulationFacts = {
  readonly storeId: Id<'store'>;
  readonly programId: Id<'prog'>;
  readonly now: Date;
  readonly clickedAt: Date;
  readonly terms: Terms;
};

function simulate(report: ConversionReport, { storeId, programId, now, clickedAt, terms }: SimulationFacts): ConversionDecision {
  const click = { clickId: newId<'click'>(now), at: clickedAt, linkNumber: 0n, programId, creatorId: newId<'crt'>(now) };
  return decideConversion(report, {
    now,
    storeId,
    earlier: null,
    wasReversedEarly: false,
    partners: null,
    click: { kind: 'referral', ...click, isCreatorSuspended: false, backsAnotherOrder: false, terms },
    fresh: { transactionId: newId(now), commissionId: newId(now) },
  });
}

function toSimulation(decision: ConversionDecision): Static<typeof simulated> {
  const { outcome, why } = conversionOutcome(decision);
  const commission = decision.do === 'record' ? decision.commission : null;
  return {
    status: statusOf(outcome.reason, 'conversion'),
    reason: outcome.reason,
    explanation: explain({ operation: 'conversion', reason: outcome.reason, why }, 'merchant'),
    commission_cents: why.commission_cents ?? null,
    eligible_cents: why.eligible_cents ?? null,
    earned: [...(why.earned ?? [])],
    terms_version: why.terms_version ?? null,
    hold_until: why.hold_until ?? null,
    approves_itself_at: commission?.autoApproveAt ? isoTime(commission.autoApproveAt) : null,
  };
}
