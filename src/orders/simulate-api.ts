import { Type as T, type Static } from 'typebox';
import { explain } from '../contract/explain.ts';
import { FieldError, type JsonObject } from '../contract/fields.ts';
import { postbackBytesMax } from '../contract/request-checks.ts';
import { statusOf } from '../contract/reasons.ts';
import { readTimestamp } from '../contract/timestamp.ts';
import { nextTerms, readTermsDraft, termsBody } from '../merchants/program-terms.ts';
import { findProgram } from '../merchants/programs-sql.ts';
import { termsOfProgram } from '../merchants/terms-sql.ts';
import { termsInForce } from '../merchants/terms.ts';
import { endpoint } from '../people/endpoint.ts';
import { isRefusal, notFound, refuse, type Refusal } from '../http/responses.ts';
import { isoTime, namedObject, orNull, singleAmountField } from '../http/fields.ts';
import { hourMs } from '../core/time.ts';
import { conversionOutcome, type ConversionDecision } from './decide-conversion.ts';
import { readConversion, type ConversionReport } from './report.ts';
import { publicId, readPublicId } from '../core/ids.ts';
import { creatorNames } from '../creators/creators-sql.ts';
import type { Queryable } from '../db/database.ts';
import type { AttributionWhy } from '../contract/why.ts';
import { apiMessage } from '../messages/api-message.ts';
import { attributionJson, showAttribution } from './attribution-json.ts';
import { loadSimulatedPartners, type SimulatedCustomer } from './load-simulated-partners.ts';
import { simulate } from './simulate.ts';

const timeLengthMax = 40;
const idLengthMax = 40;

const simulateBody = T.Object(
  {
    order: T.Record(T.String(), T.Unknown(), {
      description: 'Fields of a conversion, such as order_subtotal_cents, occurred_at, and line_items; omitted fields are filled in',
    }),
    clicked_at: T.Optional(
      orNull(
        T.String({ maxLength: timeLengthMax, description: 'The time of the click; one hour before the order by default; null: no click' }),
      ),
    ),
    click_creator_id: T.Optional(
      T.String({ maxLength: idLengthMax, description: 'The creator of the click; by default a creator who has no code' }),
    ),
    customer: T.Optional(
      T.Object(
        {
          first_order_at: T.String({ maxLength: timeLengthMax, description: 'When a creator brought the first order of the customer' }),
          creator_id: T.Optional(T.String({ maxLength: idLengthMax, description: 'By default another creator than that of the click' })),
          later_orders: T.Optional(
            T.Integer({ minimum: 0, maximum: 10_000, description: 'How many later orders have earned; 0 by default' }),
          ),
        },
        { additionalProperties: false, description: 'Makes the order one of a returning customer' },
      ),
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
  attribution: orNull(attributionJson),
  creator_id: orNull(T.String({ description: 'Who earns; null if nobody does, or a creator whom the request does not name' })),
  creator_name: orNull(T.String()),
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
    const customer = readCustomer(body.customer);
    if (isRefusal(customer)) return customer;
    const versions = await termsOfProgram(db, of);
    const draft = body.terms === undefined ? null : nextTerms(program, readTermsDraft(body.terms), { versions, at: now });
    if (draft !== null && isRefusal(draft)) return draft;
    const occurredAt = report.occurredAt === 'unreadable' ? now : report.occurredAt;
    const terms = draft ?? termsInForce(versions, occurredAt);
    if (terms === null) return refuse('terms_missing', apiMessage('simulate_api.program_has_no_terms_yet'));
    const partners = await loadSimulatedPartners(db, { ...of, report, terms, draft, customer, now });
    const clickCreator = readPublicId('crt', body.click_creator_id ?? '');
    const decision = simulate(report, { ...of, now, clickedAt, ...(clickCreator && { creatorId: clickCreator }), terms, partners });
    return toSimulation(decision, await namesIn(db, decision));
  },
});

/** Fills in the required fields that do not matter for the question. */
function readOrder(order: Readonly<Record<string, unknown>>, now: Date): ConversionReport | Refusal {
  if (Buffer.byteLength(JSON.stringify(order)) > postbackBytesMax)
    return refuse('invalid_request', apiMessage('simulate_api.order_too_large_see_errors'), [
      { field: 'order', message: apiMessage('simulate_api.must_have_at_most_bytes', { postbackBytesMax }) },
    ]);
  const required = { order_id: 'simulated', click_id: 'simulated', customer_id: 'simulated', currency: 'USD' };
  const filled: JsonObject = { ...required, occurred_at: now.toISOString(), ...order };
  const report = readConversion({ ...filled, test: false });
  if (!(report instanceof FieldError)) return report;
  return refuse('invalid_request', apiMessage('simulate_api.order_invalid_see_errors'), [
    { field: `order${report.field.replaceAll('/', '.')}`, message: report.message },
  ]);
}

function readClickedAt(text: string | null | undefined, { occurredAt }: ConversionReport): Date | null | Refusal {
  if (text === null) return null;
  const before = occurredAt === 'unreadable' ? new Date(0) : new Date(occurredAt.getTime() - hourMs);
  const clickedAt = text === undefined ? before : readTimestamp(text);
  if (clickedAt !== 'unreadable') return clickedAt;
  return refuse('invalid_request', apiMessage('shared.body_invalid'), [{ field: 'clicked_at', message: apiMessage('shared.time') }]);
}

function readCustomer(given: Static<typeof simulateBody>['customer']): SimulatedCustomer | null | Refusal {
  if (given === undefined) return null;
  const firstOrderAt = readTimestamp(given.first_order_at);
  if (firstOrderAt !== 'unreadable')
    return { firstOrderAt, creatorId: readPublicId('crt', given.creator_id ?? ''), laterOrders: given.later_orders ?? 0 };
  const field = 'customer.first_order_at';
  return refuse('invalid_request', apiMessage('shared.body_invalid'), [{ field, message: apiMessage('shared.time') }]);
}

type NameOf = (publicCreatorId: string) => string | null;

/** The names of the creators that the decision compared. A creator who was made up for the simulation has no name. */
async function namesIn(db: Queryable, decision: ConversionDecision): Promise<NameOf> {
  if (decision.do !== 'record') return () => null;
  const { credited, outcompeted } = decision.order.attribution;
  const names = await creatorNames(db, [credited.creatorId, ...(outcompeted === null ? [] : [outcompeted.creatorId])]);
  return (id) => names.get(readPublicId('crt', id) ?? credited.creatorId) ?? null;
}

function toSimulation(decision: ConversionDecision, nameOf: NameOf): Static<typeof simulated> {
  const { outcome, why } = conversionOutcome(decision);
  const recorded = decision.do === 'record' ? decision : null;
  const creatorId = recorded && publicId('crt', recorded.order.attribution.credited.creatorId);
  const creatorName = creatorId && nameOf(creatorId);
  const attribution = recorded?.order.attribution.why ?? null;
  const nameOrUnnamed = (id: string): string => nameOf(id) ?? apiMessage('simulate_api.another_creator');
  const named = { ...why, ...(attribution && namedWhy(attribution, nameOrUnnamed)) };
  return {
    status: statusOf(outcome.reason, 'conversion'),
    reason: outcome.reason,
    explanation: explain({ operation: 'conversion', reason: outcome.reason, why: named }, 'merchant'),
    commission_cents: why.commission_cents ?? null,
    eligible_cents: why.eligible_cents ?? null,
    earned: [...(why.earned ?? [])],
    terms_version: why.terms_version ?? null,
    hold_until: why.hold_until ?? null,
    approves_itself_at: recorded?.commission.autoApproveAt ? isoTime(recorded.commission.autoApproveAt) : null,
    attribution: attribution && showAttribution(attribution, nameOrUnnamed),
    creator_id: creatorName === null ? null : creatorId,
    creator_name: creatorName,
  };
}

/** Explanations name creators instead of IDs. */
const namedWhy = (attribution: AttributionWhy, nameOf: (id: string) => string): Partial<AttributionWhy> => ({
  attributed_to: nameOf(attribution.attributed_to),
  ...(attribution.compared && { compared: { ...attribution.compared, creator_id: nameOf(attribution.compared.creator_id) } }),
});
