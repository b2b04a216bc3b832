import { Type as T, type Static } from 'typebox';
import { explain } from '../contract/explain.ts';
import { FieldError, type JsonObject } from '../contract/fields.ts';
import { postbackBytesMax } from '../contract/request-checks.ts';
import { statusOf } from '../contract/reasons.ts';
import { readTimestamp } from '../contract/timestamp.ts';
import { readPublicId } from '../core/ids.ts';
import { movesOfCreators, type MoveOfCreator } from '../creators/group-moves-sql.ts';
import { findMember } from '../creators/members-sql.ts';
import { findRateSubjects } from '../creators/rate-subjects-sql.ts';
import { rateFactsAt } from '../creators/terms-of-creators.ts';
import type { Queryable } from '../db/database.ts';
import { needsRateFacts, ruleLevels } from '../merchants/applied-rule.ts';
import type { TermsDraft } from '../merchants/decide-terms.ts';
import { nextTerms, readTermsDraft, termsBody } from '../merchants/program-terms.ts';
import { findProgram, type Program, type ProgramName } from '../merchants/programs-sql.ts';
import { termsOfProgram } from '../merchants/terms-sql.ts';
import { termsInForce, type Terms } from '../merchants/terms.ts';
import { endpoint } from '../people/endpoint.ts';
import { isRefusal, notFound, refuse, type Refusal } from '../http/responses.ts';
import { isoTime, namedObject, orNull, singleAmountField } from '../http/fields.ts';
import { hourMs } from '../core/time.ts';
import { conversionOutcome, type ConversionDecision } from './decide-conversion.ts';
import { readConversion, type ConversionReport } from './report.ts';
import { apiMessage } from '../messages/api-message.ts';
import { simulate } from './simulate.ts';

const timeLengthMax = 40;

const simulateBody = T.Object(
  {
    order: T.Record(T.String(), T.Unknown(), {
      description: 'Fields of a conversion, such as order_subtotal_cents, occurred_at, and line_items; omitted fields are filled in',
    }),
    clicked_at: T.Optional(
      T.String({ maxLength: timeLengthMax, description: 'The time of the click; one hour before the order by default' }),
    ),
    member_id: T.Optional(
      T.String({ maxLength: 40, description: 'The member who earns; without one, the rates of groups and members do not apply' }),
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

const appliedRuleJson = T.Object(
  {
    level: T.Enum([...ruleLevels]),
    member_id: T.Optional(T.String()),
    group_id: T.Optional(T.String()),
    group_name: T.Optional(T.String()),
  },
  { description: 'Which rule won; absent if the terms have the same rates for all creators' },
);

const earnedJson = T.Object({
  product_id: orNull(T.String()),
  of_cents: singleAmountField(),
  quantity: T.Integer(),
  basis_points: orNull(T.Integer()),
  flat_cents: orNull(singleAmountField()),
  amount_cents: singleAmountField(),
  rule: T.Optional(appliedRuleJson),
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
    const moves = await movesOfMember(db, of, body.member_id);
    if (isRefusal(moves)) return moves;
    const versions = await termsOfProgram(db, of);
    const draft = body.terms === undefined ? null : await draftTerms(db, program, { draft: readTermsDraft(body.terms), versions, now });
    if (draft !== null && isRefusal(draft)) return draft;
    const occurredAt = report.occurredAt === 'unreadable' ? now : report.occurredAt;
    const terms = draft ?? termsInForce(versions, occurredAt);
    if (terms === null) return refuse('terms_missing', apiMessage('simulate_api.program_has_no_terms_yet'));
    const facts = needsRateFacts(terms) ? { facts: rateFactsAt(moves, occurredAt) } : {};
    return toSimulation(simulate(report, { ...of, now, clickedAt, terms: { ...terms, ...facts } }));
  },
});

type Draft = { readonly draft: TermsDraft; readonly versions: readonly Terms[]; readonly now: Date };

async function draftTerms(db: Queryable, program: Program, { draft, versions, now }: Draft): Promise<Terms | Refusal> {
  return nextTerms(program, draft, { versions, subjects: await findRateSubjects(db, program, draft), at: now });
}

/** Empty for a creator who is not a member. */
async function movesOfMember(db: Queryable, of: ProgramName, memberText: string | undefined): Promise<readonly MoveOfCreator[] | Refusal> {
  if (memberText === undefined) return [];
  const memberId = readPublicId('mem', memberText);
  const member = memberId === null ? null : await findMember(db, { ...of, memberId });
  if (member !== null) return movesOfCreators(db, [member]);
  return refuse('invalid_request', apiMessage('shared.body_invalid'), [
    { field: 'member_id', message: apiMessage('decide_terms.not_member_of_program') },
  ]);
}

/** Fills in the required fields that do not matter for the question. */
function readOrder(order: Readonly<Record<string, unknown>>, now: Date): ConversionReport | Refusal {
  if (Buffer.byteLength(JSON.stringify(order)) > postbackBytesMax)
    return refuse('invalid_request', apiMessage('simulate_api.order_too_large_see_errors'), [
      { field: 'order', message: apiMessage('simulate_api.must_have_at_most_bytes', { postbackBytesMax }) },
    ]);
  const filled: JsonObject = { order_id: 'simulated', click_id: 'simulated', currency: 'USD', occurred_at: now.toISOString(), ...order };
  const report = readConversion({ ...filled, test: false });
  if (!(report instanceof FieldError)) return report;
  return refuse('invalid_request', apiMessage('simulate_api.order_invalid_see_errors'), [
    { field: `order${report.field.replaceAll('/', '.')}`, message: report.message },
  ]);
}

function readClickedAt(text: string | undefined, { occurredAt }: ConversionReport): Date | Refusal {
  const before = occurredAt === 'unreadable' ? new Date(0) : new Date(occurredAt.getTime() - hourMs);
  const clickedAt = text === undefined ? before : readTimestamp(text);
  if (clickedAt !== 'unreadable') return clickedAt;
  return refuse('invalid_request', apiMessage('shared.body_invalid'), [{ field: 'clicked_at', message: apiMessage('shared.time') }]);
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
