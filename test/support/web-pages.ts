export type WebRole = 'nobody' | 'merchant' | 'creator' | 'operator';

/** Every URL of the routes in web/src/app/routes, and who opens it. */
export const webPages: ReadonlyArray<readonly [role: WebRole, path: string]> = [
  ['nobody', '/sign-in'],
  ['nobody', '/sign-up'],
  ['nobody', '/link'],
  ['nobody', '/forgot-password'],
  ['nobody', '/no-such-page'],
  ['merchant', '/account'],
  ['merchant', '/notifications'],
  ['merchant', '/stores'],
  ['merchant', '/new-store'],
  ['merchant', '/stores/$store'],
  ['merchant', '/stores/$store/conversions'],
  ['merchant', '/stores/$store/disputes'],
  ['merchant', '/stores/$store/subscriptions'],
  ['merchant', '/stores/$store/tracking-log'],
  ['merchant', '/stores/$store/integration'],
  ['merchant', '/stores/$store/integration/stripe'],
  ['merchant', '/stores/$store/integration/shopify'],
  ['merchant', '/shopify/install'],
  ['merchant', '/shopify/callback'],
  ['merchant', '/stores/$store/programs'],
  ['merchant', '/stores/$store/new-program'],
  ['merchant', '/stores/$store/programs/$program'],
  ['merchant', '/stores/$store/programs/$program/settings'],
  ['merchant', '/stores/$store/programs/$program/new-terms'],
  ['merchant', '/stores/$store/creators'],
  ['merchant', '/stores/$store/creators/$creator'],
  ['merchant', '/stores/$store/creator-invitations'],
  ['merchant', '/stores/$store/creator-imports'],
  ['merchant', '/stores/$store/creator-messages'],
  ['merchant', '/stores/$store/codes'],
  ['merchant', '/stores/$store/attribution'],
  ['merchant', '/stores/$store/creator-imports/$import'],
  ['merchant', '/stores/$store/customers/$customer'],
  ['merchant', '/stores/$store/billing'],
  ['merchant', '/stores/$store/statement'],
  ['merchant', '/stores/$store/customer-data'],
  ['merchant', '/stores/$store/settings'],
  ['merchant', '/stores/$store/team'],
  ['merchant', '/stores/$store/api-keys'],
  ['merchant', '/stores/$store/webhooks'],
  ['merchant', '/stores/$store/webhooks/$endpoint'],
  ['merchant', '/stores/$store/audit-log'],
  ['merchant', '/stores/$store/mails'],
  ['merchant', '/stores/store_00000000000000000000000000'],
  ['nobody', '/programs/$program'],
  ['creator', '/programs/$program'],
  ['merchant', '/programs/$program'],
  ['merchant', '/creator'],
  ['creator', '/creator'],
  ['creator', '/creator/programs'],
  ['creator', '/creator/links'],
  ['creator', '/creator/codes'],
  ['creator', '/creator/assets'],
  ['creator', '/creator/sales'],
  ['creator', '/creator/refused-orders'],
  ['creator', '/creator/subscriptions'],
  ['creator', '/creator/messages'],
  ['creator', '/creator/api-keys'],
  ['creator', '/creator/payouts'],
  ['creator', '/creator/payouts/$payout'],
  ['creator', '/creator/statement'],
  ['creator', '/creator/settings'],
  ['creator', '/stores'],
  ['operator', '/operator'],
  ['operator', '/operator/stores'],
  ['operator', '/operator/stores/$storeId'],
  ['operator', '/operator/creators'],
  ['operator', '/operator/creators/$creatorId'],
  ['operator', '/operator/billing-runs'],
  ['operator', '/operator/payouts'],
  ['operator', '/operator/charges'],
  ['operator', '/operator/review'],
  ['operator', '/operator/disputes'],
  ['operator', '/operator/risk'],
  ['operator', '/operator/ledger'],
  ['operator', '/operator/jobs'],
  ['operator', '/operator/tracking'],
  ['operator', '/operator/settings'],
  ['operator', '/operator/health'],
  ['operator', '/operator/operators'],
  ['operator', '/operator/api-keys'],
  ['operator', '/operator/audit-log'],
  // In the sandbox it redirects to the console.
  ['operator', '/second-factor'],
  ['operator', '/operator/mails'],
  ['operator', '/operator/mails/$emailId'],
  ['operator', '/operator/clock'],
];

/** What the parameters of the paths stand for, by name. */
export type PageSubjects = Readonly<
  Record<'store' | 'creator' | 'customer' | 'program' | 'emailId' | 'payout' | 'endpoint' | 'import', string>
>;

export const addressOfPage = (path: string, subjects: PageSubjects): string =>
  path
    .replace(/\$store(Id)?\b/, subjects.store)
    .replace(/\$creator(Id)?\b/, subjects.creator)
    .replace('$customer', subjects.customer)
    .replace('$program', subjects.program)
    .replace('$emailId', subjects.emailId)
    .replace('$payout', subjects.payout)
    .replace('$endpoint', subjects.endpoint)
    .replace('$import', subjects.import);
