import { Type as T } from 'typebox';
import type { Static } from '../core/static.ts';
import { explain } from '../contract/explain.ts';
import { speechToMerchants } from '../contract/speech.ts';
import { FieldError, leadKindLengthMax, textLengthMax } from '../contract/fields.ts';
import { statusOf } from '../contract/reasons.ts';
import { newId, publicId, readPublicId, type Id } from '../core/ids.ts';
import { creatorNames } from '../creators/creators-sql.ts';
import type { Queryable } from '../db/database.ts';
import { isoTime, namedObject, orNull, singleAmountField, idField } from '../http/fields.ts';
import { isRefusal, notFound, refuse, type Refusal } from '../http/responses.ts';
import { findProgram } from '../merchants/programs-sql.ts';
import { apiMessage } from '../messages/api-message.ts';
import { withNames } from '../orders/attribution-json.ts';
import { loadSimulatedPartners } from '../orders/load-simulated-partners.ts';
import { draftField, readClickedAt, termsOfSimulation } from '../orders/terms-of-simulation.ts';
import { endpoint } from '../people/endpoint.ts';
import { decideLead, leadOutcome, type LeadDecision } from './decide-lead.ts';
import { readLead, type LeadReport } from './lead-report.ts';

const timeLengthMax = 40;
const leadsMax = 1_000_000;
const time = (description: string) => T.Optional(T.String({ maxLength: timeLengthMax, description }));

const simulateBody = T.Object(
  {
    kind: T.String({ minLength: 1, maxLength: leadKindLengthMax }),
    occurred_at: time('Now by default'),
    clicked_at: T.Optional(
      orNull(
        T.String({ maxLength: timeLengthMax, description: 'The time of the click; one hour before the lead by default; null: no click' }),
      ),
    ),
    click_creator_id: T.Optional(idField({ description: 'By default a creator who does not exist' })),
    discount_code: T.Optional(T.String({ maxLength: textLengthMax })),
    paid_in_month: T.Optional(
      T.Integer({ minimum: 0, maximum: leadsMax, description: 'Leads of this kind that the creator was already paid for; 0 by default' }),
    ),
    terms: T.Optional(draftField),
  },
  { additionalProperties: false },
);
type Body = Static<typeof simulateBody>;

const simulated = namedObject('LeadSimulation', {
  status: T.Integer({ description: 'The response that the postback would get' }),
  reason: T.String(),
  explanation: T.String(),
  commission_cents: orNull(singleAmountField()),
  terms_version: orNull(T.Integer()),
  hold_until: orNull(T.String()),
  approves_itself_at: orNull(T.String()),
  creator_id: orNull(T.String({ description: 'Who earns; null without a commission, or for a creator that the request does not name' })),
  creator_name: orNull(T.String()),
});

/** Runs the decision of real leads on a lead from the request, and stores nothing. */
export const simulateLead = endpoint({
  summary: 'Simulate a lead: what it would earn, by the rules for real leads; records nothing',
  access: { allow: 'store', permission: 'store:read' },
  ids: { program: 'prog' },
  body: simulateBody,
  reply: simulated,
  inTransaction: false,
  async handle({ db, ids, body, now }) {
    const of = { storeId: ids.store, programId: ids.program };
    const program = await findProgram(db, of);
    if (program === null) return notFound;
    const report = readSimulated(body, now);
    if (isRefusal(report)) return report;
    const clickedAt = readClickedAt(body.clicked_at, report.occurredAt);
    if (isRefusal(clickedAt)) return clickedAt;
    const occurredAt = report.occurredAt === 'unreadable' ? now : report.occurredAt;
    const clickCreator = readPublicId('crt', body.click_creator_id ?? '');
    const found = await termsOfSimulation(db, { program, draft: body.terms, clickCreator, clickedAt, at: occurredAt, now });
    if (isRefusal(found)) return found;
    const { terms, draft } = found;
    const named = { ...report, isTest: false, discountCodes: null };
    const partners = await loadSimulatedPartners(db, { ...of, report: named, terms, draft, customer: null, now });
    const creatorId = clickCreator ?? newId<'crt'>(now);
    const click = { kind: 'referral', clickId: newId<'click'>(now), linkNumber: 0n, ...of, creatorId, isCreatorSuspended: false } as const;
    const decision = decideLead(clickedAt === null ? { ...report, clickId: null } : report, {
      now,
      storeId: ids.store,
      earlier: null,
      click: clickedAt && { ...click, at: clickedAt, terms },
      wasReversedEarly: false,
      partners,
      paidInMonth: body.paid_in_month ?? 0,
      fresh: { leadId: newId<'lead'>(now), commissionId: newId<'com'>(now) },
    });
    return toSimulation(decision, await namesIn(db, decision));
  },
});

function readSimulated({ kind, occurred_at, discount_code }: Body, now: Date): LeadReport | Refusal {
  const ids = { lead_id: 'simulated', click_id: 'simulated' };
  const report = readLead({ ...ids, kind, discount_code: discount_code ?? null, occurred_at: occurred_at ?? now.toISOString() });
  if (!(report instanceof FieldError)) return report;
  const field = report.field.replaceAll('/', '.').slice(1);
  return refuse('invalid_request', apiMessage('shared.body_invalid'), [{ field, message: report.message }]);
}

type Names = ReadonlyMap<Id<'crt'>, string>;

/** A creator who was made up for the simulation has no name. */
async function namesIn(db: Queryable, decision: LeadDecision): Promise<Names> {
  if (decision.do !== 'record') return new Map();
  const { credited, outcompeted } = decision.lead.attribution;
  return creatorNames(db, [credited.creatorId, ...(outcompeted === null ? [] : [outcompeted.creatorId])]);
}

function toSimulation(decision: LeadDecision, names: Names): Static<typeof simulated> {
  const { outcome, why } = leadOutcome(decision);
  const recorded = decision.do === 'record' ? decision : null;
  const attribution = recorded?.lead.attribution;
  const creatorName = (attribution && names.get(attribution.credited.creatorId)) ?? null;
  const named = attribution?.why ? withNames(attribution.why, creatorName ?? apiMessage('simulate_api.another_creator'), names) : {};
  return {
    status: statusOf(outcome.reason, 'lead'),
    reason: outcome.reason,
    explanation: explain({ operation: 'lead', reason: outcome.reason, why: { ...why, ...named } }, speechToMerchants),
    commission_cents: why.commission_cents ?? null,
    terms_version: why.terms_version ?? null,
    hold_until: why.hold_until ?? null,
    approves_itself_at: recorded?.commission.autoApproveAt ? isoTime(recorded.commission.autoApproveAt) : null,
    creator_id: attribution && creatorName !== null ? publicId('crt', attribution.credited.creatorId) : null,
    creator_name: creatorName,
  };
}
