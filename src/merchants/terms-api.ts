import { Type as T, type Static } from 'typebox';
import { readTimestamp } from '../contract/timestamp.ts';
import { endpoint } from '../people/endpoint.ts';
import { isRefusal, notFound } from '../http/responses.ts';
import { externalIdField, isoTime, namedObject, orNull } from '../http/fields.ts';
import { pageOf, pageQuery, pageReply, readPage, wholeNumberShape } from '../http/page.ts';
import type { RuleDraft, SubscriptionRuleDraft, TermsDraft } from './decide-terms.ts';
import { addTerms } from './program-terms.ts';
import { findProgram } from './programs-sql.ts';
import { columnsOf, orderRuleJson, subscriptionRuleJson, writeOrderRule, writeSubscriptionRule } from './terms-json.ts';
import { listTerms } from './terms-sql.ts';
import type { Terms } from './terms.ts';

const rulesMax = 500;
const timeLengthMax = 40;

const paysWords = T.Union([T.Literal('order'), T.Literal('product')]);

export const termsJson = namedObject('Terms', {
  version: T.Integer(),
  effective_from: T.String(),
  made_at: T.String(),
  attribution_days: T.Integer(),
  hold_days: T.Integer(),
  approval: T.Union([T.Literal('manual'), T.Literal('auto')]),
  auto_approve_days: orNull(T.Integer()),
  pays: paysWords,
  order_rules: T.Array(orderRuleJson),
  subscription_rules: T.Array(subscriptionRuleJson),
});

export function showTerms(terms: Terms): Static<typeof termsJson> {
  const { approval, autoApproveDays } = columnsOf(terms.approval);
  return {
    version: terms.version,
    effective_from: isoTime(terms.effectiveFrom),
    made_at: isoTime(terms.madeAt),
    attribution_days: terms.attributionDays,
    hold_days: terms.holdDays,
    approval,
    auto_approve_days: autoApproveDays,
    pays: terms.pays,
    order_rules: terms.orderRules.map(writeOrderRule),
    subscription_rules: terms.subscriptionRules.map(writeSubscriptionRule),
  };
}

/** Null means absent, except for `max_months`, where it means no end. */
const maybe = <Schema extends T.TSchema>(schema: Schema) => T.Optional(orNull(schema));

const ruleFields = { product_id: maybe(externalIdField()), basis_points: maybe(T.Integer()), flat_cents: maybe(T.Integer()) };
const orderRuleBody = T.Object(ruleFields, { additionalProperties: false });
const subscriptionRuleBody = T.Object(
  { ...ruleFields, price_id: maybe(externalIdField()), max_invoices: maybe(T.Integer()), max_months: maybe(T.Integer()) },
  { additionalProperties: false },
);

const draftOf = (rule: Static<typeof orderRuleBody>): RuleDraft => ({
  productId: rule.product_id ?? null,
  basisPoints: rule.basis_points ?? null,
  flatCents: rule.flat_cents ?? null,
});

const subscriptionDraftOf = (rule: Static<typeof subscriptionRuleBody>): SubscriptionRuleDraft => ({
  ...draftOf(rule),
  priceId: rule.price_id ?? null,
  maxInvoices: rule.max_invoices ?? null,
  maxMonths: rule.max_months,
});

export const termsBody = T.Object(
  {
    effective_from: maybe(T.String({ maxLength: timeLengthMax })),
    order_rules: T.Optional(T.Array(orderRuleBody, { maxItems: rulesMax })),
    subscription_rules: T.Optional(T.Array(subscriptionRuleBody, { maxItems: rulesMax })),
    pays: T.Optional(paysWords),
  },
  { additionalProperties: false },
);

export const readTermsDraft = (body: Static<typeof termsBody>): TermsDraft => ({
  effectiveFrom: typeof body.effective_from === 'string' ? readTimestamp(body.effective_from) : undefined,
  pays: body.pays ?? 'order',
  orderRules: body.order_rules?.map(draftOf),
  subscriptionRules: body.subscription_rules?.map(subscriptionDraftOf),
});

export const addTermsEndpoint = endpoint({
  summary: "Add a version of a program's terms; it holds from effective_from on, which is now where it is not said",
  access: { allow: 'store', permission: 'programs:write' },
  proof: true,
  liveKeys: 'permitted',
  ids: { program: 'prog' },
  body: termsBody,
  reply: termsJson,
  status: 201,
  audit: 'terms.add',
  async handle({ db, ids, body, now }) {
    const terms = await addTerms(db, { storeId: ids.store, programId: ids.program }, readTermsDraft(body), now);
    return isRefusal(terms) ? terms : showTerms(terms);
  },
});

export const listTermsEndpoint = endpoint({
  summary: "List the versions of a program's terms, the latest made first",
  access: { allow: 'store', permission: 'store:read' },
  ids: { program: 'prog' },
  query: pageQuery,
  reply: pageOf(termsJson),
  async handle({ db, ids, query }) {
    const page = readPage(query, [wholeNumberShape]);
    if (isRefusal(page)) return page;
    const name = { storeId: ids.store, programId: ids.program };
    if ((await findProgram(db, name)) === null) return notFound;
    return pageReply(await listTerms(db, name, page), page, showTerms, ({ version }) => [String(version)]);
  },
});
