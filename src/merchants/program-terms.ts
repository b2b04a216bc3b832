import type { Queryable } from '../db/database.ts';
import { isRefusal, notFound, refuse, type FieldError, type Refusal } from '../http/responses.ts';
import { decideNotice, type NamedMember } from './decide-notice.ts';
import { enqueueNotices } from './enqueue-notices.ts';
import { writeGoal } from './goals.ts';
import { goalJson, goalsBody } from './goals-json.ts';
import type { NextVersion } from './decide-settings.ts';
import {
  decideTerms,
  versionsMax,
  type OwnRatesDraft,
  type RateSubjects,
  type RuleDraft,
  type SubscriptionRuleDraft,
  type TermsDraft,
} from './decide-terms.ts';
import { lockProgram, type Program, type ProgramName, findProgram } from './programs-sql.ts';
import { insertTerms, termsOfProgram, listTerms } from './terms-sql.ts';
import { leadKindLengthMax } from '../contract/fields.ts';
import { applicableVersions, attributionDaysMax, clicksOnly, termsInForce, type Terms } from './terms.ts';
import { readPublicId, type Id } from '../core/ids.ts';
import { cents } from '../core/money.ts';
import { Type as T } from 'typebox';
import type { Static } from '../core/static.ts';
import { readTimestamp } from '../contract/timestamp.ts';
import { endpoint } from '../people/endpoint.ts';
import { externalIdField, isoTime, namedObject, orNull, idField } from '../http/fields.ts';
import { wholeNumberShape } from '../http/page.ts';
import { listEndpoint } from '../people/list-endpoint.ts';
import {
  codesField,
  columnsOf,
  leadRuleJson,
  newClickField,
  orderRuleJson,
  ownRatesJson,
  returningJson,
  subscriptionRuleJson,
  writeLeadRule,
  writeOrderRule,
  writeOwnRates,
  writeReturning,
  writeSubscriptionRule,
} from './terms-json.ts';
import { budgetBody, budgetJson, writeBudget } from './budget-json.ts';
import { measureField, periodField, tiersJson, writeTiers } from './tiers-json.ts';
import { apiMessage } from '../messages/api-message.ts';

type Adding = {
  readonly subjects: RateSubjects;
  readonly at: Date;
  /** Asked only if the version in force promises a notice. */
  readonly findGroups?: FindGroups;
};

/** The present groups of memberships, which belong to a higher module. */
export type FindGroups = (db: Queryable, of: ProgramName, memberIds: ReadonlyArray<Id<'mem'>>) => Promise<readonly NamedMember[]>;

/** Adds a version with the requested rules and the program's current window, hold and approval. */
export async function addTerms(
  db: Queryable,
  of: ProgramName,
  draft: TermsDraft,
  { subjects, at, findGroups }: Adding,
): Promise<Terms | Refusal> {
  const program = await lockProgram(db, of);
  if (program === null) return notFound;
  const versions = await termsOfProgram(db, of);
  const members = await findNamedMembers(db, of, { draft, versions, at, findGroups });
  const terms = nextTerms(program, draft, { versions, subjects, members, at });
  if (isRefusal(terms)) return terms;
  if ((terms.noticeDays ?? termsInForce(versions, at)?.noticeDays) !== undefined && hasScheduled(versions, at)) return alreadyScheduled;
  await insertTerms(db, of, terms);
  if (terms.isAnnounced) await enqueueNotices(db, of, terms.version);
  return terms;
}

type NamedQuery = {
  readonly draft: TermsDraft;
  readonly versions: readonly Terms[];
  readonly at: Date;
  readonly findGroups: FindGroups | undefined;
};

/** The members that the version in force or the next one names. No statement without a promise. */
export async function findNamedMembers(
  db: Queryable,
  of: ProgramName,
  { draft, versions, at, findGroups }: NamedQuery,
): Promise<readonly NamedMember[]> {
  const inForce = termsInForce(versions, at);
  if (findGroups === undefined || inForce?.noticeDays === undefined) return [];
  const named = [
    ...inForce.rates.own.flatMap(({ subject }) => (subject.is === 'member' ? [subject.memberId] : [])),
    ...(draft.ownRates ?? []).flatMap(({ memberId }) => (memberId === null ? [] : (readPublicId('mem', memberId) ?? []))),
  ];
  return named.length === 0 ? [] : findGroups(db, of, [...new Set(named)]);
}

/** Applies to all programs that promise a notice: two scheduled versions could each be worse than the one before it. */
export const hasScheduled = (versions: readonly Terms[], at: Date): boolean =>
  applicableVersions(versions).some(({ effectiveFrom }) => effectiveFrom > at);

/** Memberships belong to a higher module. */
export type FindRateSubjects = (db: Queryable, of: ProgramName, draft: TermsDraft) => Promise<RateSubjects>;

type CurrentVersions = {
  readonly versions: readonly Terms[];
  readonly subjects: RateSubjects;
  readonly members?: readonly NamedMember[];
  readonly at: Date;
};

/** Returns the next version without storing it. */
export function nextTerms(program: Program, draft: TermsDraft, { versions, subjects, members = [], at }: CurrentVersions): Terms | Refusal {
  const wasEverPublished = program.firstPublishedAt !== null;
  const decision = decideTerms(draft, { ...subjects, now: at, wasEverPublished, versionCount: versions.length });
  if (decision.do === 'refuse') {
    return decision.why === 'invalid' ? invalidTerms(decision.fieldErrors) : tooManyVersions;
  }
  const { do: _do, ...next } = decision;
  const terms = versionOf(program, next, { version: versions.length + 1, madeAt: at });
  const inForce = termsInForce(versions, at);
  const requestedFrom = draft.effectiveFrom === undefined ? undefined : terms.effectiveFrom;
  const notice = decideNotice(terms, { now: at, inForce, wasEverPublished, requestedFrom, members });
  if (notice.do === 'refuse')
    return invalidTerms([
      { field: 'effective_from', message: apiMessage('program_terms.worse_terms_need_notice', { days: notice.noticeDays }) },
    ]);
  return { ...terms, effectiveFrom: notice.effectiveFrom, ...(notice.do === 'announce' ? { isAnnounced: true } : {}) };
}

const invalidTerms = (fieldErrors: readonly FieldError[]): Refusal =>
  refuse('unprocessable', apiMessage('program_terms.terms_invalid_see_errors'), fieldErrors);

export const alreadyScheduled = refuse('conflict', apiMessage('program_terms.version_already_scheduled'));

type Addition = { readonly versions: readonly Terms[]; readonly next: readonly NextVersion[]; readonly at: Date };

/** Adds versions after a change of the program's settings, which are already stored. Null: done. */
export async function addVersions(db: Queryable, program: Program, { versions, next, at }: Addition): Promise<Refusal | null> {
  if (versions.length + next.length > versionsMax) return tooManyVersions;
  for (const [index, version] of next.entries()) {
    const terms = versionOf(program, version, { version: versions.length + 1 + index, madeAt: at });
    await insertTerms(db, program, terms);
    if (terms.isAnnounced) await enqueueNotices(db, program, terms.version);
  }
  return null;
}

/** Versions are never deleted, so the last version number is their count. */
export function versionOf(
  { attributionDays, holdDays, approval }: Program,
  next: NextVersion,
  made: Pick<Terms, 'version' | 'madeAt'>,
): Terms {
  return { ...next, ...made, attributionDays, holdDays, approval };
}

const tooManyVersions = refuse('limit_reached', apiMessage('program_terms.program_can_have_at_most', { versionsMax }));

const rulesMax = 500;
const ownRatesMax = 200;
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
  codes: codesField,
  returning: orNull(returningJson),
  leads: T.Array(leadRuleJson, { description: 'What leads earn by their kind; leads of other kinds earn nothing' }),
  tiers: T.Optional(tiersJson),
  budget: T.Optional(budgetJson),
  notice_days: T.Optional(
    T.Integer({ description: 'While this version is in force, a worse one starts so many days after it was added; absent: immediately' }),
  ),
  protect_click_days: T.Optional(
    T.Integer({ description: 'For so many days after the start, orders whose click came before it keep the former version' }),
  ),
  announced: T.Optional(T.Boolean({ description: 'True if creators are informed of this version and may accept it before its start' })),
  canceled_at: T.Optional(T.String({ description: 'A canceled version never starts' })),
  goals: T.Optional(T.Array(goalJson)),
  own_rates: T.Optional(T.Array(ownRatesJson, { description: 'Shown to the store; absent if all creators have the same rates' })),
});

/** With the rates of groups and memberships, which only the store may see. */
export function showTermsToStore(terms: Terms): Static<typeof termsJson> {
  const { own } = terms.rates;
  return { ...showTerms(terms), ...(own.length === 0 ? {} : { own_rates: own.map(writeOwnRates) }) };
}

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
    codes: terms.attribution.codes,
    returning: writeReturning(terms.attribution.returning),
    leads: terms.attribution.leads.map(writeLeadRule),
    ...(terms.budget === undefined ? {} : { budget: writeBudget(terms.budget) }),
    ...(terms.goals === undefined ? {} : { goals: terms.goals.map(writeGoal) }),
    ...(terms.rates.tiers === null ? {} : { tiers: writeTiers(terms.rates.tiers) }),
    ...(terms.noticeDays === undefined ? {} : { notice_days: terms.noticeDays }),
    ...(terms.protectClickDays === undefined ? {} : { protect_click_days: terms.protectClickDays }),
    ...(terms.isAnnounced ? { announced: true } : {}),
    ...(terms.canceledAt === undefined ? {} : { canceled_at: isoTime(terms.canceledAt) }),
  };
}

/** Null means absent, except for `max_months`, where it means no end. */
const maybe = <Schema extends T.TSchema>(schema: Schema) => T.Optional(orNull(schema));

const patternsMax = 50;
const countriesMax = 250;
/** Null and false count as absent. */
const conditionsBody = T.Object(
  {
    products: maybe(
      T.Array(externalIdField(), { maxItems: patternsMax, description: 'Product IDs; `*` matches any characters, as in `shirt-*`' }),
    ),
    new_customers: maybe(T.Boolean({ description: 'Only the first order of a `customer_id` that the store reports' })),
    min_order_cents: maybe(T.Integer({ description: 'The least eligible amount of the whole order' })),
    countries: maybe(T.Array(T.String({ maxLength: 2 }), { maxItems: countriesMax, description: 'Codes of ISO 3166-1, such as US' })),
  },
  { additionalProperties: false, description: 'The rule applies only to orders that fulfill all of them' },
);
const ruleFields = { product_id: maybe(externalIdField()), basis_points: maybe(T.Integer()), flat_cents: maybe(T.Integer()) };
const orderRuleBody = T.Object({ ...ruleFields, conditions: maybe(conditionsBody) }, { additionalProperties: false });
const subscriptionRuleBody = T.Object(
  { ...ruleFields, price_id: maybe(externalIdField()), max_invoices: maybe(T.Integer()), max_months: maybe(T.Integer()) },
  { additionalProperties: false },
);

const draftOf = (rule: Omit<Static<typeof orderRuleBody>, 'conditions'>): RuleDraft => ({
  productId: rule.product_id ?? null,
  basisPoints: rule.basis_points ?? null,
  flatCents: rule.flat_cents ?? null,
});

const orderDraftOf = ({ conditions: given, ...rule }: Static<typeof orderRuleBody>): RuleDraft => ({
  ...draftOf(rule),
  ...(given
    ? {
        conditions: {
          products: given.products,
          newCustomers: given.new_customers,
          minOrderCents: given.min_order_cents,
          countries: given.countries,
        },
      }
    : {}),
});

const subscriptionDraftOf = (rule: Static<typeof subscriptionRuleBody>): SubscriptionRuleDraft => ({
  ...draftOf(rule),
  priceId: rule.price_id ?? null,
  maxInvoices: rule.max_invoices ?? null,
  maxMonths: rule.max_months,
});

const returningBody = T.Object(
  { days: T.Integer(), orders: maybe(T.Integer()), new_click: T.Optional(newClickField) },
  { additionalProperties: false },
);

const leadRulesMax = 20;
const leadRuleBody = T.Object(
  {
    kind: T.String({ minLength: 1, maxLength: leadKindLengthMax }),
    flat_cents: T.Integer({ minimum: 0 }),
    max_per_month: maybe(T.Integer()),
  },
  { additionalProperties: false },
);

const ownRatesBody = T.Object(
  {
    group_id: maybe(idField()),
    member_id: maybe(idField()),
    order_rules: T.Optional(T.Array(orderRuleBody, { maxItems: rulesMax })),
    subscription_rules: T.Optional(T.Array(subscriptionRuleBody, { maxItems: rulesMax })),
  },
  { additionalProperties: false },
);

const ownRatesDraftOf = (rates: Static<typeof ownRatesBody>): OwnRatesDraft => ({
  groupId: rates.group_id ?? null,
  memberId: rates.member_id ?? null,
  orderRules: rates.order_rules?.map(orderDraftOf) ?? [],
  subscriptionRules: rates.subscription_rules?.map(subscriptionDraftOf) ?? [],
});

const tiersMax = 20;
const tiersBody = T.Object(
  {
    measure: measureField,
    period: periodField,
    time_zone: T.Optional(T.String({ maxLength: 64, description: 'An IANA name such as Europe/Berlin; UTC by default' })),
    tiers: T.Array(
      T.Object(
        {
          threshold: T.Integer({ description: 'Commissions, or cents of revenue; higher than that of the tier before' }),
          order_rules: T.Optional(T.Array(orderRuleBody, { maxItems: rulesMax })),
          subscription_rules: T.Optional(T.Array(subscriptionRuleBody, { maxItems: rulesMax })),
        },
        { additionalProperties: false },
      ),
      { maxItems: tiersMax },
    ),
  },
  {
    additionalProperties: false,
    description: 'Rates for creators who have reached a number: they come after those of memberships and groups, and precede the program’s',
  },
);

const tiersDraftOf = ({ measure, period, time_zone: timeZone = 'UTC', tiers }: Static<typeof tiersBody>): TermsDraft['tiers'] => ({
  measure,
  period,
  timeZone,
  tiers: tiers.map((tier) => ({
    threshold: tier.threshold,
    orderRules: tier.order_rules?.map(orderDraftOf) ?? [],
    subscriptionRules: tier.subscription_rules?.map(subscriptionDraftOf) ?? [],
  })),
});

/** Names the form of an exported file. A later form gets another number. */
export const termsFileFormat = 'tributary.terms/1' as const;

export const termsBody = T.Object(
  {
    format: T.Optional(T.Literal(termsFileFormat, { description: 'Of an exported file' })),
    effective_from: maybe(T.String({ maxLength: timeLengthMax })),
    order_rules: T.Optional(T.Array(orderRuleBody, { maxItems: rulesMax })),
    subscription_rules: T.Optional(T.Array(subscriptionRuleBody, { maxItems: rulesMax })),
    pays: T.Optional(paysWords),
    codes: T.Optional(codesField),
    returning: maybe(returningBody),
    leads: T.Optional(T.Array(leadRuleBody, { maxItems: leadRulesMax })),
    tiers: maybe(tiersBody),
    budget: maybe(budgetBody),
    notice_days: maybe(
      T.Integer({
        minimum: 7,
        maximum: 90,
        description: 'While this version is in force, a version that is worse for creators starts so many days after it was added',
      }),
    ),
    protect_click_days: maybe(
      T.Integer({
        minimum: 1,
        maximum: attributionDaysMax,
        description: 'For so many days after the start of this version, orders whose click came before it keep the former version',
      }),
    ),
    goals: maybe(goalsBody),
    own_rates: T.Optional(
      T.Array(ownRatesBody, {
        maxItems: ownRatesMax,
        description:
          'Rules for groups and memberships: those of the membership win, then those of its group, then the rules of the program',
      }),
    ),
  },
  { additionalProperties: false },
);

export const readTermsDraft = (body: Static<typeof termsBody>): TermsDraft => ({
  effectiveFrom: typeof body.effective_from === 'string' ? readTimestamp(body.effective_from) : undefined,
  pays: body.pays ?? 'order',
  orderRules: body.order_rules?.map(orderDraftOf),
  subscriptionRules: body.subscription_rules?.map(subscriptionDraftOf),
  attribution: {
    codes: body.codes ?? clicksOnly.codes,
    returning: body.returning
      ? { days: body.returning.days, ordersMax: body.returning.orders ?? null, newClick: body.returning.new_click ?? 'last_click' }
      : null,
    leads: (body.leads ?? []).map((rule) => ({
      kind: rule.kind,
      amount: cents(rule.flat_cents),
      perMonthMax: rule.max_per_month ?? null,
    })),
  },
  ownRates: body.own_rates?.map(ownRatesDraftOf),
  tiers: body.tiers && tiersDraftOf(body.tiers),
  budget: body.budget,
  noticeDays: body.notice_days,
  protectClickDays: body.protect_click_days,
  goals: body.goals,
});

export const addTermsEndpoint = (findSubjects: FindRateSubjects, findGroups: FindGroups) =>
  endpoint({
    summary: "Create a version of a program's terms; effective_from defaults to now",
    access: { allow: 'store', permission: 'programs:write' },
    proof: true,
    liveKeys: 'permitted',
    ids: { program: 'prog' },
    body: termsBody,
    reply: termsJson,
    status: 201,
    audit: 'terms.add',
    async handle({ db, ids, body, now }) {
      const of = { storeId: ids.store, programId: ids.program };
      const draft = readTermsDraft(body);
      const terms = await addTerms(db, of, draft, { subjects: await findSubjects(db, of, draft), at: now, findGroups });
      return isRefusal(terms) ? terms : showTermsToStore(terms);
    },
  });

export const listTermsEndpoint = listEndpoint({
  summary: "List the versions of a program's terms, newest first",
  access: { allow: 'store', permission: 'store:read' },
  ids: { program: 'prog' },
  item: termsJson,
  exists: async ({ db, ids }) => (await findProgram(db, { storeId: ids.store, programId: ids.program })) !== null,
  rows: ({ db, ids }, page) => listTerms(db, { storeId: ids.store, programId: ids.program }, page),
  renderer: () => showTermsToStore,
  key: ({ version }) => [String(version)],
  keyShapes: [wholeNumberShape],
});
