import { createRoute, lazyRouteComponent, Outlet, redirect } from '@tanstack/react-router';
import {
  readChargesSearch,
  readDisputesSearch,
  readInvoiceSearch,
  readPayoutsSearch,
  readRiskSearch,
  readRunSearch,
  readWaitingSearch,
} from './operator/operator-search.ts';
import { inside } from './routes-inside.tsx';
import { homeOf } from './shell/home-of.ts';

const operator = createRoute({
  getParentRoute: () => inside,
  path: '/operator',
  // Others would be refused by the service anyway; this spares them a page of refusals.
  beforeLoad: ({ context }) => {
    if (!context.session.is_operator) throw redirect({ ...homeOf(context.session), replace: true });
  },
  component: Outlet,
});
const operatorOverview = createRoute({
  getParentRoute: () => operator,
  path: '/',
  component: lazyRouteComponent(() => import('./operator/overview.tsx'), 'OperatorOverview'),
});
const operatorStores = createRoute({
  getParentRoute: () => operator,
  path: '/stores',
  component: lazyRouteComponent(() => import('./operator/stores.tsx'), 'OperatorStores'),
});
const operatorStore = createRoute({
  getParentRoute: () => operator,
  path: '/stores/$shop',
  validateSearch: readInvoiceSearch,
  component: lazyRouteComponent(() => import('./operator/store.tsx'), 'OperatorsStore'),
});
const operatorCreator = createRoute({
  getParentRoute: () => operator,
  path: '/creators/$person',
  component: lazyRouteComponent(() => import('./operator/creator.tsx'), 'OperatorsCreator'),
});
const billingRuns = createRoute({
  getParentRoute: () => operator,
  path: '/billing-runs',
  validateSearch: readRunSearch,
  component: lazyRouteComponent(() => import('./operator/billing-runs.tsx'), 'BillingRuns'),
});
const operatorPayouts = createRoute({
  getParentRoute: () => operator,
  path: '/payouts',
  validateSearch: readPayoutsSearch,
  component: lazyRouteComponent(() => import('./operator/payouts.tsx'), 'OperatorsPayouts'),
});
const openCharges = createRoute({
  getParentRoute: () => operator,
  path: '/charges',
  validateSearch: readChargesSearch,
  component: lazyRouteComponent(() => import('./operator/charges.tsx'), 'OpenCharges'),
});
const operatorReview = createRoute({
  getParentRoute: () => operator,
  path: '/review',
  validateSearch: readWaitingSearch,
  component: lazyRouteComponent(() => import('./operator/review.tsx'), 'OperatorsReview'),
});
const operatorDisputes = createRoute({
  getParentRoute: () => operator,
  path: '/disputes',
  validateSearch: readDisputesSearch,
  component: lazyRouteComponent(() => import('./operator/disputes.tsx'), 'OperatorsDisputes'),
});
const operatorRisk = createRoute({
  getParentRoute: () => operator,
  path: '/risk',
  validateSearch: readRiskSearch,
  component: lazyRouteComponent(() => import('./operator/risk.tsx'), 'OperatorsRisk'),
});
const generalLedger = createRoute({
  getParentRoute: () => operator,
  path: '/ledger',
  component: lazyRouteComponent(() => import('./operator/ledger.tsx'), 'GeneralLedger'),
});
const jobs = createRoute({
  getParentRoute: () => operator,
  path: '/jobs',
  component: lazyRouteComponent(() => import('./operator/jobs.tsx'), 'OperatorsJobs'),
});
const operatorTracking = createRoute({
  getParentRoute: () => operator,
  path: '/tracking',
  component: lazyRouteComponent(() => import('./operator/tracking.tsx'), 'OperatorsTracking'),
});
const operatorSettings = createRoute({
  getParentRoute: () => operator,
  path: '/settings',
  component: lazyRouteComponent(() => import('./operator/settings.tsx'), 'OperatorsSettings'),
});
const health = createRoute({
  getParentRoute: () => operator,
  path: '/health',
  component: lazyRouteComponent(() => import('./operator/health.tsx'), 'OperatorsHealth'),
});
const creators = createRoute({
  getParentRoute: () => operator,
  path: '/creators',
  component: lazyRouteComponent(() => import('./operator/creators.tsx'), 'Creators'),
});
const operators = createRoute({
  getParentRoute: () => operator,
  path: '/operators',
  component: lazyRouteComponent(() => import('./operator/operators.tsx'), 'Operators'),
});
const operatorApiKeys = createRoute({
  getParentRoute: () => operator,
  path: '/api-keys',
  component: lazyRouteComponent(() => import('./operator/api-keys.tsx'), 'OperatorApiKeys'),
});
const operatorAuditLog = createRoute({
  getParentRoute: () => operator,
  path: '/audit-log',
  component: lazyRouteComponent(() => import('./operator/audit-log.tsx'), 'OperatorAuditLog'),
});
const mails = createRoute({
  getParentRoute: () => operator,
  path: '/mails',
  component: lazyRouteComponent(() => import('./operator/mails.tsx'), 'Mails'),
});
const openMail = createRoute({
  getParentRoute: () => operator,
  path: '/mails/$mail',
  component: lazyRouteComponent(() => import('./operator/mail.tsx'), 'OpenMail'),
});
const sandboxClock = createRoute({
  getParentRoute: () => operator,
  path: '/clock',
  component: lazyRouteComponent(() => import('./operator/sandbox-clock.tsx'), 'SandboxClock'),
});

/** The operator's console, page by page. */
export const operatorArea = operator.addChildren([
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
