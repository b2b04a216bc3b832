/** The terms that histories switch between, in the API's format. The model and the service get the same ones. */
export type OrderRule = { readonly product_id?: string; readonly basis_points?: number; readonly flat_cents?: number };
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
};
/** Rates of the creator's membership, or of the group that the creator may be in. */
export type OwnRates = Pick<TermsVariant, 'order_rules' | 'subscription_rules'> & { readonly of: 'member' | 'group' };

export const attributionDays = 15;
/** No refund hold, so that a commission can be invoiced and credited within minutes. */
export const holdDays = 0;

export const termsVariants: readonly TermsVariant[] = [
  {
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
  { pays: 'order', order_rules: [{ flat_cents: 500 }], subscription_rules: [], leads: [] },
  {
    pays: 'product',
    order_rules: [
      { product_id: 'a', basis_points: 333 },
      { product_id: 'b', flat_cents: 250 },
    ],
    subscription_rules: [{ basis_points: 1_500, max_months: 1 }],
    leads: [{ kind: 'sign_up', flat_cents: 300, max_per_month: 1 }],
  },
  {
    pays: 'order',
    order_rules: [],
    subscription_rules: [{ product_id: 'basic', basis_points: 777, max_months: null }],
    leads: [{ kind: 'call', flat_cents: 100, max_per_month: 3 }],
  },
  {
    pays: 'product',
    order_rules: [{ basis_points: 1_250 }],
    subscription_rules: [{ price_id: 'monthly', flat_cents: 100, max_invoices: 1, max_months: 12 }],
    leads: [{ kind: 'sign_up', flat_cents: 0, max_per_month: 5 }],
  },
  {
    pays: 'order',
    order_rules: [{ basis_points: 1_000 }],
    subscription_rules: [{ basis_points: 1_000, max_months: 2 }],
    leads: [],
    own_rates: [{ of: 'group', order_rules: [{ basis_points: 1_777 }], subscription_rules: [{ product_id: 'basic', flat_cents: 350 }] }],
  },
  {
    pays: 'product',
    order_rules: [{ product_id: 'a', basis_points: 444 }, { flat_cents: 120 }],
    subscription_rules: [{ basis_points: 900 }],
    leads: [{ kind: 'sign_up', flat_cents: 250 }],
    own_rates: [
      {
        of: 'member',
        order_rules: [{ product_id: 'a', basis_points: 2_500 }],
        subscription_rules: [{ product_id: 'pro', basis_points: 3_000 }],
      },
      {
        of: 'group',
        order_rules: [{ product_id: 'a', flat_cents: 900 }, { basis_points: 1_111 }],
        subscription_rules: [{ flat_cents: 80 }],
      },
    ],
  },
];
