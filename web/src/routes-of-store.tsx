import { createRoute, lazyRouteComponent, Outlet, useParams } from '@tanstack/react-router';
import {
  readBillingSearch,
  readConversionsSearch,
  readCreatorsSearch,
  readDisputesSearch,
  readOverviewSearch,
  readStatementSearch,
  readSubscriptionsSearch,
  readTrackingLogSearch,
  readWebhookSearch,
} from './merchant/list-search.ts';
import { inside } from './routes-inside.tsx';

const store = createRoute({ getParentRoute: () => inside, path: '/stores/$store', component: StoreArea });
const storeHome = createRoute({
  getParentRoute: () => store,
  path: '/',
  validateSearch: readOverviewSearch,
  component: lazyRouteComponent(() => import('./merchant/store-home.tsx'), 'StoreHome'),
});
const conversions = createRoute({
  getParentRoute: () => store,
  path: '/conversions',
  validateSearch: readConversionsSearch,
  component: lazyRouteComponent(() => import('./merchant/conversions.tsx'), 'Conversions'),
});
const disputes = createRoute({
  getParentRoute: () => store,
  path: '/disputes',
  validateSearch: readDisputesSearch,
  component: lazyRouteComponent(() => import('./merchant/disputes.tsx'), 'Disputes'),
});
const subscriptions = createRoute({
  getParentRoute: () => store,
  path: '/subscriptions',
  validateSearch: readSubscriptionsSearch,
  component: lazyRouteComponent(() => import('./merchant/subscriptions.tsx'), 'Subscriptions'),
});
const trackingLog = createRoute({
  getParentRoute: () => store,
  path: '/tracking-log',
  validateSearch: readTrackingLogSearch,
  component: lazyRouteComponent(() => import('./merchant/tracking-log.tsx'), 'TrackingLog'),
});
const integration = createRoute({
  getParentRoute: () => store,
  path: '/integration',
  component: lazyRouteComponent(() => import('./merchant/integration.tsx'), 'Integration'),
});
const programs = createRoute({
  getParentRoute: () => store,
  path: '/programs',
  component: lazyRouteComponent(() => import('./merchant/programs.tsx'), 'Programs'),
});
const newProgram = createRoute({
  getParentRoute: () => store,
  path: '/new-program',
  component: lazyRouteComponent(() => import('./merchant/new-program.tsx'), 'NewProgram'),
});
const program = createRoute({
  getParentRoute: () => store,
  path: '/programs/$program',
  component: lazyRouteComponent(() => import('./merchant/program.tsx'), 'Program'),
});
const programSettings = createRoute({
  getParentRoute: () => store,
  path: '/programs/$program/settings',
  component: lazyRouteComponent(() => import('./merchant/program-settings.tsx'), 'ProgramSettings'),
});
const newTerms = createRoute({
  getParentRoute: () => store,
  path: '/programs/$program/new-terms',
  component: lazyRouteComponent(() => import('./merchant/new-terms.tsx'), 'NewTerms'),
});
const creators = createRoute({
  getParentRoute: () => store,
  path: '/creators',
  validateSearch: readCreatorsSearch,
  component: lazyRouteComponent(() => import('./merchant/creators.tsx'), 'Creators'),
});
const billing = createRoute({
  getParentRoute: () => store,
  path: '/billing',
  validateSearch: readBillingSearch,
  component: lazyRouteComponent(() => import('./merchant/billing.tsx'), 'Billing'),
});
const statement = createRoute({
  getParentRoute: () => store,
  path: '/statement',
  validateSearch: readStatementSearch,
  component: lazyRouteComponent(() => import('./merchant/statement.tsx'), 'Statement'),
});
const team = createRoute({
  getParentRoute: () => store,
  path: '/team',
  component: lazyRouteComponent(() => import('./merchant/team.tsx'), 'Team'),
});
const storeApiKeys = createRoute({
  getParentRoute: () => store,
  path: '/api-keys',
  component: lazyRouteComponent(() => import('./merchant/api-keys.tsx'), 'StoreApiKeys'),
});
const webhooks = createRoute({
  getParentRoute: () => store,
  path: '/webhooks',
  component: lazyRouteComponent(() => import('./merchant/webhooks.tsx'), 'Webhooks'),
});
const webhookEndpoint = createRoute({
  getParentRoute: () => store,
  path: '/webhooks/$endpoint',
  validateSearch: readWebhookSearch,
  component: lazyRouteComponent(() => import('./merchant/webhook-endpoint.tsx'), 'WebhookEndpoint'),
});
const storeAuditLog = createRoute({
  getParentRoute: () => store,
  path: '/audit-log',
  component: lazyRouteComponent(() => import('./merchant/audit-log.tsx'), 'StoreAuditLog'),
});
const storeMails = createRoute({
  getParentRoute: () => store,
  path: '/mails',
  component: lazyRouteComponent(() => import('./merchant/mails.tsx'), 'StoreMails'),
});
const storeSettings = createRoute({
  getParentRoute: () => store,
  path: '/settings',
  component: lazyRouteComponent(() => import('./merchant/store-settings.tsx'), 'StoreSettings'),
});

const customerData = createRoute({
  getParentRoute: () => store,
  path: '/customer-data',
  component: lazyRouteComponent(() => import('./merchant/customer-data.tsx'), 'CustomerData'),
});

/** Another store is another page: what was typed, ticked or still shown of the one before is not taken along. */
function StoreArea() {
  const { store: id } = useParams({ from: '/inside/stores/$store' });
  return <Outlet key={id} />;
}

/** The pages of one store, and their addresses below it. */
export const storeArea = store.addChildren([
  storeHome,
  conversions,
  disputes,
  subscriptions,
  trackingLog,
  integration,
  programs,
  newProgram,
  program,
  programSettings,
  newTerms,
  creators,
  billing,
  statement,
  team,
  storeApiKeys,
  webhooks,
  webhookEndpoint,
  storeAuditLog,
  storeMails,
  customerData,
  storeSettings,
]);
