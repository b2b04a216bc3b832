import { Type as T } from 'typebox';
import type { Static } from '../core/static.ts';
import { explain } from '../contract/explain.ts';
import { speechToMerchants } from '../contract/speech.ts';
import { FieldError, type JsonObject } from '../contract/fields.ts';
import { postbackBytesMax } from '../contract/request-checks.ts';
import { statusOf } from '../contract/reasons.ts';
import { readTimestamp } from '../contract/timestamp.ts';
import { newId, publicId, readPublicId, type Id } from '../core/ids.ts';
import type { Queryable } from '../db/database.ts';
import { ruleLevels, type TermsOfCreator } from '../merchants/applied-rule.ts';
import { conditionsJson } from '../merchants/conditions-json.ts';
import { findProgram } from '../merchants/programs-sql.ts';
import { measureField, periodField } from '../merchants/tiers-json.ts';
import { conditionNames } from '../merchants/rule-conditions.ts';
import { endpoint } from '../people/endpoint.ts';
import { isRefusal, notFound, refuse, type Refusal } from '../http/responses.ts';
import { isoTime, namedObject, orNull, singleAmountField, idField } from '../http/fields.ts';
import { conversionOutcome, type ConversionDecision } from './decide-conversion.ts';
import { readConversion, type ConversionReport } from './report.ts';
import { creatorNames } from '../creators/creators-sql.ts';
import type { AttributionWhy, EarnedWhy } from '../contract/why.ts';
import { apiMessage } from '../messages/api-message.ts';
import { attributionJson, showAttribution } from './attribution-json.ts';
import { loadSimulatedPartners, loadSimulatedTerms, type SimulatedCustomer } from './load-simulated-partners.ts';
import { loadCustomers } from './load-customers.ts';
import type { Partners } from './decide-attribution.ts';
import { noBudgets } from './decide-budget.ts';
import { precededRules } from './preceded-rules.ts';
import { hasTotal, readBudgets, type OwnerOfTerms } from './load-budgets.ts';
import { simulate } from './simulate.ts';
import { draftField, readClickedAt, termsOfSimulation } from './terms-of-simulation.ts';

const timeLengthMax = 40;

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
    click_creator_id: T.Optional(idField({ description: 'The creator of the click; by default a creator who has no code' })),
    customer: T.Optional(
      T.Object(
        {
          first_order_at: T.String({ maxLength: timeLengthMax, description: 'When a creator brought the first order of the customer' }),
          creator_id: T.Optional(idField({ description: 'By default another creator than that of the click' })),
          later_orders: T.Optional(
            T.Integer({ minimum: 0, maximum: 10_000, description: 'How many later orders have earned; 0 by default' }),
          ),
        },
        { additionalProperties: false, description: 'Makes the order one of a returning customer' },
      ),
    ),
    terms: T.Optional(draftField),
  },
  { additionalProperties: false },
);

const tierFactsJson = namedObject('TierFacts', {
  number: T.Integer(),
  measure: measureField,
  period: periodField,
  threshold: singleAmountField(),
  figure: singleAmountField(),
  reached_at: T.String(),
});

const ruleFields = {
  level: T.Enum([...ruleLevels]),
  member_id: T.Optional(T.String()),
  group_id: T.Optional(T.String()),
  group_name: T.Optional(T.String()),
  tier: T.Optional(tierFactsJson),
  conditions: T.Optional(conditionsJson),
  facts: T.Optional(
    T.Object(
      {
        customer: T.Optional(T.Enum(['new', 'known', 'unnamed'])),
        order_cents: T.Optional(singleAmountField()),
        country: T.Optional(orNull(T.String())),
      },
      { description: 'What the conditions were compared with' },
    ),
  ),
};

const appliedRuleJson = T.Object(ruleFields, {
  description: 'Which rule won; absent if the terms have the same rates for all creators and no conditions',
});

const skippedRuleJson = T.Object({
  ...ruleFields,
  product_id: orNull(T.String()),
  basis_points: orNull(T.Integer()),
  flat_cents: orNull(singleAmountField()),
  failed: T.Enum([...conditionNames], { description: 'The first condition that did not hold' }),
});

const precededRuleJson = T.Object({
  ...ruleFields,
  product_id: orNull(T.String()),
  basis_points: orNull(T.Integer()),
  flat_cents: orNull(singleAmountField()),
  text: T.String({ description: 'The rate, and where it is from' }),
});

const earnedJson = T.Object({
  product_id: orNull(T.String()),
  of_cents: singleAmountField(),
  quantity: T.Integer(),
  basis_points: orNull(T.Integer()),
  flat_cents: orNull(singleAmountField()),
  amount_cents: singleAmountField(),
  rule: T.Optional(appliedRuleJson),
  preceded: T.Optional(
    T.Array(precededRuleJson, { description: 'Rules that may apply as well, but come after the one that won, in their order' }),
  ),
  skipped: T.Optional(T.Array(skippedRuleJson, { description: 'Rules that come first, but whose conditions did not hold' })),
  budget: T.Optional(
    namedObject('ExceededBudget', {
      limit: T.Enum(['program_month', 'program_total', 'creator_month', 'creator_total']),
      limit_cents: singleAmountField(),
      used_cents: singleAmountField(),
      commission_cents: singleAmountField(),
    }),
  ),
  terms: T.Optional(
    namedObject('TermsChoice', {
      because: T.Enum(['accepted', 'click_before_change']),
      version: T.Integer(),
      at: T.String({ description: 'The time of the acceptance or of the click' }),
      changed_version: T.Integer({ description: 'The version that was accepted, or that came after the click' }),
      changed_from: T.String({ description: 'Its start for creators who had not accepted it' }),
    }),
  ),
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
  creator_id: orNull(T.String({ description: 'Who earns; null without a commission, or for a creator that the request does not name' })),
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
    const clickedAt = readClickedAt(body.clicked_at, report.occurredAt);
    if (isRefusal(clickedAt)) return clickedAt;
    const customer = readCustomer(body.customer);
    if (isRefusal(customer)) return customer;
    const occurredAt = report.occurredAt === 'unreadable' ? now : report.occurredAt;
    const clickCreator = readPublicId('crt', body.click_creator_id ?? '');
    const found = await termsOfSimulation(db, { program, draft: body.terms, clickCreator, clickedAt, at: occurredAt, now });
    if (isRefusal(found)) return found;
    const { terms, draft } = found;
    const partners = await loadSimulatedPartners(db, { ...of, report, terms, draft, customer, now });
    const termsOf = await loadSimulatedTerms(db, { ...of, at: occurredAt, versions: [terms] }, clickCreator === null ? [] : [clickCreator]);
    const click = { ...(clickCreator && { creatorId: clickCreator }), terms: termsOf(terms, clickCreator) };
    const owners = [{ ...of, creatorId: clickCreator ?? newId<'crt'>(now), terms }, ...ownersIn(partners, of.storeId)];
    const limited = owners.filter((owner) => owner.terms?.budget !== undefined);
    const budgets =
      limited.length === 0 ? noBudgets : await readBudgets(db, { owners: limited, times: [occurredAt], hasTotal: hasTotal(limited) });
    const decision = simulate(report, {
      ...of,
      now,
      clickedAt,
      ...click,
      partners,
      budgets,
      ...(await findCustomer(db, ids.store, { body, report })),
    });
    return toSimulation(decision, await namesIn(db, decision));
  },
});

const ownersIn = (partners: Partners | null, storeId: Id<'store'>): readonly OwnerOfTerms[] =>
  [...(partners?.codes ?? []), ...(partners?.bindings ?? [])].map(({ programId, creatorId, terms }) => ({
    storeId,
    programId,
    creatorId,
    terms,
  }));

type Simulated = { readonly body: Static<typeof simulateBody>; readonly report: ConversionReport };

/** Without a customer in the request, the customer is new. */
async function findCustomer(
  db: Queryable,
  storeId: Id<'store'>,
  { body, report }: Simulated,
): Promise<{ readonly isNewCustomer?: boolean }> {
  if (body.customer !== undefined) return { isNewCustomer: false };
  if (!('customer_id' in body.order)) return { isNewCustomer: true };
  const order = { storeId, report };
  return (await loadCustomers(db, [order], new Set([storeId]))).of(order);
}

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
    explanation: explain({ operation: 'conversion', reason: outcome.reason, why: named }, speechToMerchants),
    commission_cents: why.commission_cents ?? null,
    eligible_cents: why.eligible_cents ?? null,
    earned: (why.earned ?? []).map((part) => withPreceded(part, recorded?.order.attribution.credited.terms)),
    terms_version: why.terms_version ?? null,
    hold_until: why.hold_until ?? null,
    approves_itself_at: recorded?.commission.autoApproveAt ? isoTime(recorded.commission.autoApproveAt) : null,
    attribution: attribution && showAttribution(attribution, nameOrUnnamed),
    creator_id: creatorName === null ? null : creatorId,
    creator_name: creatorName,
  };
}

function withPreceded(part: EarnedWhy, terms: TermsOfCreator | undefined): Static<typeof earnedJson> {
  const preceded = terms === undefined ? [] : precededRules(terms, part);
  return preceded.length === 0 ? part : { ...part, preceded: [...preceded] };
}

/** Explanations name creators instead of IDs. */
const namedWhy = (attribution: AttributionWhy, nameOf: (id: string) => string): Partial<AttributionWhy> => ({
  attributed_to: nameOf(attribution.attributed_to),
  ...(attribution.compared && { compared: { ...attribution.compared, creator_id: nameOf(attribution.compared.creator_id) } }),
});
