import { createRoute, lazyRouteComponent, Outlet, redirect } from '@tanstack/react-router';
import {
  readChargesSearch,
  readOperatorDisputesSearch,
  readInvoiceSearch,
  readPayoutsSearch,
  readRiskSearch,
  readRunSearch,
  readReviewSearch,
} from '../../features/operations/operator-search.ts';
import { signedInRoute } from './signed-in.tsx';
import { homeRoute } from '../../session/session.ts';
import { readSortedPosition, readSortedSearch } from '../../ui/search-params.ts';
import { readAuditSearch } from '../../features/audit/audit-search.ts';

const operator = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/operator',
  // The service would reject others anyway; the redirect spares them a page of errors.
  beforeLoad: ({ context }) => {
    if (!context.session.is_operator) throw redirect({ ...homeRoute(context.session), replace: true });
  },
  component: Outlet,
});
const operatorOverview = createRoute({
  getParentRoute: () => operator,
  path: '/',
  component: lazyRouteComponent(() => import('../../features/operations/operator-overview.tsx'), 'OperatorOverview'),
});
const operatorStores = createRoute({
  getParentRoute: () => operator,
  path: '/stores',
  validateSearch: readSortedSearch,
  component: lazyRouteComponent(() => import('../../features/operations/operator-stores.tsx'), 'OperatorStores'),
});
const operatorStore = createRoute({
  getParentRoute: () => operator,
  path: '/stores/$storeId',
  validateSearch: readInvoiceSearch,
  component: lazyRouteComponent(() => import('../../features/operations/operator-store.tsx'), 'OperatorStore'),
});
const operatorCreator = createRoute({
  getParentRoute: () => operator,
  path: '/creators/$creatorId',
  component: lazyRouteComponent(() => import('../../features/operations/operator-creator.tsx'), 'OperatorCreator'),
});
const billingRuns = createRoute({
  getParentRoute: () => operator,
  path: '/billing-runs',
  validateSearch: readRunSearch,
  component: lazyRouteComponent(() => import('../../features/operations/billing-runs.tsx'), 'BillingRuns'),
});
const operatorPayouts = createRoute({
  getParentRoute: () => operator,
  path: '/payouts',
  validateSearch: readPayoutsSearch,
  component: lazyRouteComponent(() => import('../../features/operations/operator-payouts.tsx'), 'OperatorPayouts'),
});
const openCharges = createRoute({
  getParentRoute: () => operator,
  path: '/charges',
  validateSearch: readChargesSearch,
  component: lazyRouteComponent(() => import('../../features/operations/open-charges.tsx'), 'OpenChargesPage'),
});
const operatorReview = createRoute({
  getParentRoute: () => operator,
  path: '/review',
  validateSearch: readReviewSearch,
  component: lazyRouteComponent(() => import('../../features/operations/operator-review.tsx'), 'OperatorReview'),
});
const operatorDisputes = createRoute({
  getParentRoute: () => operator,
  path: '/disputes',
  validateSearch: readOperatorDisputesSearch,
  component: lazyRouteComponent(() => import('../../features/operations/operator-disputes.tsx'), 'OperatorDisputes'),
});
const operatorRisk = createRoute({
  getParentRoute: () => operator,
  path: '/risk',
  validateSearch: readRiskSearch,
  component: lazyRouteComponent(() => import('../../features/operations/risk-cases.tsx'), 'RiskCases'),
});
const generalLedger = createRoute({
  getParentRoute: () => operator,
  path: '/ledger',
  component: lazyRouteComponent(() => import('../../features/operations/general-ledger.tsx'), 'GeneralLedger'),
});
const jobs = createRoute({
  getParentRoute: () => operator,
  path: '/jobs',
  component: lazyRouteComponent(() => import('../../features/operations/jobs-page.tsx'), 'JobsPage'),
});
const operatorTracking = createRoute({
  getParentRoute: () => operator,
  path: '/tracking',
  component: lazyRouteComponent(() => import('../../features/operations/operator-tracking.tsx'), 'OperatorTracking'),
});
const operatorSettings = createRoute({
  getParentRoute: () => operator,
  path: '/settings',
  component: lazyRouteComponent(() => import('../../features/operations/operator-settings.tsx'), 'OperatorSettings'),
});
const health = createRoute({
  getParentRoute: () => operator,
  path: '/health',
  component: lazyRouteComponent(() => import('../../features/operations/health-page.tsx'), 'HealthPage'),
});
const creators = createRoute({
  getParentRoute: () => operator,
  path: '/creators',
  validateSearch: readSortedSearch,
  component: lazyRouteComponent(() => import('../../features/operations/operator-creators.tsx'), 'OperatorCreators'),
});
const operators = createRoute({
  getParentRoute: () => operator,
  path: '/operators',
  component: lazyRouteComponent(() => import('../../features/operations/operators.tsx'), 'Operators'),
});
const operatorApiKeys = createRoute({
  getParentRoute: () => operator,
  path: '/api-keys',
  component: lazyRouteComponent(() => import('../../features/access/api-keys.tsx'), 'OperatorApiKeys'),
});
const operatorAuditLog = createRoute({
  getParentRoute: () => operator,
  path: '/audit-log',
  validateSearch: readAuditSearch,
  component: lazyRouteComponent(() => import('../../features/audit/audit-log.tsx'), 'OperatorAuditLog'),
});
const mails = createRoute({
  getParentRoute: () => operator,
  path: '/mails',
  validateSearch: readSortedPosition,
  component: lazyRouteComponent(() => import('../../features/operations/operator-emails.tsx'), 'OperatorEmails'),
});
const openMail = createRoute({
  getParentRoute: () => operator,
  path: '/mails/$emailId',
  component: lazyRouteComponent(() => import('../../features/operations/operator-emails.tsx'), 'OperatorEmail'),
});
const sandboxClock = createRoute({
  getParentRoute: () => operator,
  path: '/clock',
  component: lazyRouteComponent(() => import('../../features/operations/sandbox-clock.tsx'), 'SandboxClock'),
});

/** The pages of the operator console. */
export const operatorRoutes = operator.addChildren([
  operatorOverview,
  operatorStores,
  operatorStore,
  operatorCreator,
  billingRuns,
  operatorPayouts,
  openCharges,
  operatorReview,
  operatorDisputes,
  operatorRisk,
  generalLedger,
  jobs,
  operatorTracking,
  operatorSettings,
  health,
  creators,
  operators,
  operatorApiKeys,
  operatorAuditLog,
  mails,
  openMail,
  sandboxClock,
]);
