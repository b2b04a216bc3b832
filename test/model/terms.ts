import { dayMs, hourMs } from '../../src/core/time.ts';

/** The terms that histories switch between, in the API's format. The model and the service get the same ones. */
export type Conditions = {
  readonly products?: readonly string[];
  readonly new_customers?: true;
  readonly min_order_cents?: number;
  readonly countries?: readonly string[];
};
export type OrderRule = {
  readonly product_id?: string;
  readonly basis_points?: number;
  readonly flat_cents?: number;
  readonly conditions?: Conditions;
};
export type SubscriptionRule = OrderRule & {
  readonly price_id?: string;
  readonly max_invoices?: number;
  readonly max_months?: number | null;
};
export type LeadRule = { readonly kind: string; readonly flat_cents: number; readonly max_per_month?: number };
export type TermsVariant = {
  readonly pays: 'order' | 'product';
  readonly order_rules: readonly OrderRule[];
  readonly subscription_rules: readonly SubscriptionRule[];
  readonly leads: readonly LeadRule[];
  readonly own_rates?: readonly OwnRates[];
  readonly tiers?: Tiers;
  readonly budget?: Budget;
  readonly codes: 'off' | 'when_no_click' | 'before_click';
  readonly returning: Returning | null;
  readonly goals?: readonly Goal[];
  /** The notice of worse terms that this version promises. */
  readonly notice_days?: number;
  /** For so many days after its start, orders of earlier clicks keep the former version. */
  readonly protect_click_days?: number;
};
export type Goal = { readonly orders: number; readonly period: 'month' | 'total'; readonly amount_cents: number };
export type Returning = { readonly days: number; readonly orders: number | null; readonly new_click: 'last_click' | 'first_partner' };
export type Rules = Pick<TermsVariant, 'order_rules' | 'subscription_rules'>;
/** Rates of a creator's membership, or of a group that creators may be in. */
export type OwnRates = Rules & { readonly of: Owner | Group };
export type Tiers = {
  readonly measure: 'approved_commissions' | 'approved_revenue';
  readonly period: 'month' | 'days_30' | 'days_90';
  readonly time_zone: string;
  readonly tiers: ReadonlyArray<Rules & { readonly threshold: number }>;
};
export const budgetLimits = ['program_month', 'program_total', 'creator_month', 'creator_total'] as const;
export type BudgetLimit = (typeof budgetLimits)[number];
export type Budget = { readonly [Limit in BudgetLimit as `${Limit}_cents`]?: number | undefined };

export const attributionDays = 15;
/** No refund hold, so that a commission can be invoiced and credited within minutes. */
export const holdDays = 0;

/** Ada has the link of all clicks, and may be suspended. Ben has only codes. Both may be in a group. */
export type Owner = 'ada' | 'ben';
export const groups = ['core', 'vip'] as const;
export type Group = (typeof groups)[number];
export type CodeSpec = {
  readonly name: string;
  readonly owner: Owner;
  readonly isShared: boolean;
  readonly limit: number | null;
  readonly from: number;
  readonly until: number | null;
};

/** The codes of a store whose history begins at this time. */
export function codesOf(begin: number): readonly CodeSpec[] {
  const usual = { isShared: false, limit: null, from: begin - 100 * dayMs, until: null };
  return [
    { ...usual, name: 'ADA', owner: 'ada' },
    { ...usual, name: 'BEN', owner: 'ben' },
    { ...usual, name: 'ONCE', owner: 'ben', limit: 1 },
    { ...usual, name: 'TWICE', owner: 'ada', limit: 2 },
    { ...usual, name: 'SHARED', owner: 'ben', isShared: true },
    { ...usual, name: 'SPRING', owner: 'ben', from: begin - 10 * dayMs, until: begin + hourMs },
  ];
}

const clicksOnly = { codes: 'off', returning: null } as const;
const usualOrders = {
  pays: 'order',
  order_rules: [{ basis_points: 1_000 }],
  subscription_rules: [{ basis_points: 2_000, max_invoices: 3 }],
} as const;

export const termsVariants: readonly TermsVariant[] = [
  {
    ...clicksOnly,
    pays: 'order',
    order_rules: [{ basis_points: 1_000 }],
    subscription_rules: [
      { product_id: 'basic', price_id: 'monthly', basis_points: 2_000, max_invoices: 2, max_months: 1 },
      { product_id: 'pro', flat_cents: 700 },
    ],
    leads: [
      { kind: 'sign_up', flat_cents: 200, max_per_month: 2 },
      { kind: 'call', flat_cents: 5_000 },
    ],
  },
  { ...clicksOnly, pays: 'order', order_rules: [{ flat_cents: 500 }], subscription_rules: [], leads: [] },
  {
    ...clicksOnly,
    pays: 'product',
    order_rules: [
      { product_id: 'a', basis_points: 333 },
      { product_id: 'b', flat_cents: 250 },
    ],
    subscription_rules: [{ basis_points: 1_500, max_months: 1 }],
    leads: [{ kind: 'sign_up', flat_cents: 300, max_per_month: 1 }],
  },
  {
    ...clicksOnly,
    pays: 'order',
    order_rules: [],
    subscription_rules: [{ product_id: 'basic', basis_points: 777, max_months: null }],
    leads: [{ kind: 'call', flat_cents: 100, max_per_month: 3 }],
  },
  {
    ...clicksOnly,
    pays: 'product',
    order_rules: [{ basis_points: 1_250 }],
    subscription_rules: [{ price_id: 'monthly', flat_cents: 100, max_invoices: 1, max_months: 12 }],
    leads: [{ kind: 'sign_up', flat_cents: 0, max_per_month: 5 }],
  },
  {
    ...clicksOnly,
    pays: 'order',
    order_rules: [{ basis_points: 1_000 }],
    subscription_rules: [{ basis_points: 1_000, max_months: 2 }],
    leads: [],
    own_rates: [{ of: 'core', order_rules: [{ basis_points: 1_777 }], subscription_rules: [{ product_id: 'basic', flat_cents: 350 }] }],
  },
  {
    ...clicksOnly,
    pays: 'product',
    order_rules: [
      { basis_points: 600 },
      { flat_cents: 333, conditions: { min_order_cents: 4_900, products: ['b*'] } },
      { basis_points: 4_000, conditions: { min_order_cents: 9_905 } },
      { product_id: 'a', basis_points: 1_900, conditions: { min_order_cents: 4_900 } },
    ],
    subscription_rules: [],
    leads: [],
  },
  {
    ...clicksOnly,
    pays: 'product',
    order_rules: [{ product_id: 'a', basis_points: 444 }, { flat_cents: 120 }],
    subscription_rules: [{ basis_points: 900 }],
    leads: [{ kind: 'sign_up', flat_cents: 250 }],
    own_rates: [
      {
        of: 'ada',
        order_rules: [{ product_id: 'a', basis_points: 2_500 }],
        subscription_rules: [{ product_id: 'pro', basis_points: 3_000 }],
      },
      {
        of: 'core',
        order_rules: [{ product_id: 'a', flat_cents: 900 }, { basis_points: 1_111 }],
        subscription_rules: [{ flat_cents: 80 }],
      },
    ],
  },
  { ...usualOrders, codes: 'when_no_click', returning: null, leads: [{ kind: 'sign_up', flat_cents: 150, max_per_month: 1 }] },
  {
    ...usualOrders,
    codes: 'before_click',
    returning: { days: 20, orders: 2, new_click: 'last_click' },
    leads: [{ kind: 'sign_up', flat_cents: 90 }],
    own_rates: [{ of: 'ada', order_rules: [{ basis_points: 3_000 }], subscription_rules: [] }],
  },
  {
    codes: 'off',
    returning: { days: 12, orders: null, new_click: 'first_partner' },
    pays: 'product',
    order_rules: [{ product_id: 'a', basis_points: 800 }],
    subscription_rules: [{ product_id: 'basic', basis_points: 500 }],
    leads: [{ kind: 'call', flat_cents: 400, max_per_month: 2 }],
  },
  { ...usualOrders, codes: 'before_click', returning: { days: 30, orders: 1, new_click: 'first_partner' }, leads: [] },
  {
    ...usualOrders,
    ...clicksOnly,
    leads: [{ kind: 'sign_up', flat_cents: 150 }],
    notice_days: 7,
    goals: [
      { orders: 1, period: 'total', amount_cents: 300 },
      { orders: 2, period: 'month', amount_cents: 2_500 },
    ],
  },
  {
    ...usualOrders,
    codes: 'when_no_click',
    returning: { days: 40, orders: null, new_click: 'last_click' },
    order_rules: [{ basis_points: 700 }],
    leads: [{ kind: 'sign_up', flat_cents: 100 }],
    notice_days: 7,
    protect_click_days: 10,
  },
];
/** Histories begin with one of these, so that most of those about codes count codes. */
export const firstVariants: readonly number[] = [0, 8, 9, 10, 11, 12, 13];
