/** Leads and their reversals, implemented independently for the model of test/model/model.ts. */
import { contentOf, day, eventTime, minute, open, refusalOfRefund, refused, textIfAny, textOf, undo } from './model-books.ts';
import type { Books, Commission, Expected, ReceivedReport } from './model-books.ts';
import { credit, namedIn, type Credit } from './model-attribution.ts';
import { attributionDays } from './terms.ts';

export type LeadPath = 'leads' | 'lead-reversals';
type Lead = { readonly content: string; readonly answer: Expected; readonly commission: Commission; reversedWith: string | null };
export type Leads = {
  readonly recorded: Map<string, Lead>;
  readonly reversedEarly: Set<string>;
  /** How many leads were paid under a limit, by creator, kind, and month. */
  readonly paid: Map<string, number>;
};
export const noLeads = (): Leads => ({ recorded: new Map(), reversedEarly: new Set(), paid: new Map() });

const graceDays = 7;

export function judgeLead(path: LeadPath, books: Books, leads: Leads, received: ReceivedReport): Expected {
  return path === 'leads' ? reportLead(books, leads, received) : reverseLead(leads, received);
}

function reportLead(books: Books, leads: Leads, { body, now, number }: ReceivedReport): Expected {
  const leadId = textOf(body, 'lead_id');
  const clickId = textIfAny(body, 'click_id');
  const content = contentOf(body);
  const earlier = leads.recorded.get(leadId);
  if (earlier)
    return earlier.content === content ? { ...earlier.answer, reason: 'duplicate_lead' } : refused(409, 'duplicate_lead_conflict');
  if (clickId === null && textIfAny(body, 'discount_code') === null) return refused(422, 'missing_referral_click');
  const at = Date.parse(textIfAny(body, 'occurred_at') ?? '');
  if (Number.isNaN(at) || at > now + 5 * minute) return refused(422, 'invalid_occurred_at');
  const named = namedIn(books, body);
  const isTooOld = now - at > (attributionDays + graceDays) * day;
  const record = (clickedAt: number | null, reason: string): Expected => {
    const credited = credit(books, named, { at, clickedAt, isLead: true });
    if (credited === null) return refused(422, reason);
    if (isTooOld) return refused(422, 'invalid_occurred_at');
    credited.settle();
    const { owner, by, terms } = credited;
    const amount = earned(leads, books, { kind: textOf(body, 'kind'), at, owner, terms });
    const version = terms.number;
    if (terms.chosen) books.tally(`lead by version: ${String(terms.chosen['because'])}`);
    const parts = amount === 0 ? [] : [{ product: null, rule: { flat_cents: amount }, amount, quantity: 1 }];
    const cameEarly = leads.reversedEarly.has(leadId);
    const commission = open(books, leadId, { source: 'lead', at, version, earned: '', parts, eligible: 0, cameEarly, owner, by });
    const answer: Expected = { status: 200, reason: 'recorded', ids: ['conversion_id', 'lead_id'] };
    leads.recorded.set(leadId, { content, answer: { ...answer, like: number }, commission, reversedWith: null });
    return answer;
  };
  if (clickId === null) return record(null, 'missing_referral_click');
  const click = books.clicks.get(clickId);
  if (!click) return refused(422, 'unknown_referral_click');
  if (click.kind === 'test') return refused(422, 'test_click_not_allowed');
  if (isTooOld) return refused(422, 'invalid_occurred_at');
  if (at < click.at - 5 * minute) return record(null, 'lead_precedes_click');
  if (at > click.at + attributionDays * day) return record(null, 'attribution_window_expired');
  return record(click.at, 'missing_referral_click');
}

type Paying = Pick<Credit, 'owner' | 'terms'> & { readonly kind: string; readonly at: number };

/** The flat amount of the kind, unless its monthly limit is used up. */
function earned({ paid }: Leads, books: Books, { kind, at, owner, terms }: Paying): number {
  const rule = terms.leads.find((one) => one.kind === kind);
  books.tally(`lead: ${rule === undefined ? 'no rule' : rule.max_per_month === undefined ? 'no limit' : 'limit'}`);
  // A rule of 0 pays nothing, so it counts nothing.
  if (rule === undefined || rule.flat_cents === 0 || rule.max_per_month === undefined) return rule?.flat_cents ?? 0;
  const month = `${owner} ${kind} ${new Date(at).toISOString().slice(0, 7)}`;
  const before = paid.get(month) ?? 0;
  if (before >= rule.max_per_month) books.tally('lead: above the limit');
  if (before >= rule.max_per_month) return 0;
  paid.set(month, before + 1);
  return rule.flat_cents;
}

function reverseLead(leads: Leads, received: ReceivedReport): Expected {
  const leadId = textOf(received.body, 'lead_id');
  const content = contentOf(received.body);
  const lead = leads.recorded.get(leadId);
  if (lead && lead.reversedWith !== null)
    return lead.reversedWith === content ? { ...lead.answer, reason: 'duplicate_lead' } : refused(409, 'duplicate_lead_conflict');
  if (eventTime(received) === null) return refused(422, 'invalid_occurred_at');
  if (!lead) {
    leads.reversedEarly.add(leadId);
    return refused(404, 'unknown_lead');
  }
  const refusal = refusalOfRefund(lead.commission);
  if (refusal) return refusal;
  undo(lead.commission);
  lead.reversedWith = content;
  return lead.answer;
}
