import { createRoute, lazyRouteComponent, Outlet, useParams } from '@tanstack/react-router';
import {
  readAlternativesSearch,
  readBillingSearch,
  readCodesSearch,
  readConversionsSearch,
  readCreatorSearch,
  readCreatorsSearch,
  readDisputesSearch,
  readImportSearch,
  readInvitationsSearch,
  readMessagesSearch,
  readOverviewSearch,
  readStatementSearch,
  readSubscriptionsSearch,
  readTrackingLogSearch,
  readShopifySearch,
  readStripeSearch,
  readWebhookSearch,
} from '../../features/stores/store-search-params.ts';
import { signedInRoute } from './signed-in.tsx';
import { readSortedPosition, readSortedSearch } from '../../ui/search-params.ts';
import { readAuditSearch } from '../../features/audit/audit-search.ts';

const store = createRoute({ getParentRoute: () => signedInRoute, path: '/stores/$store', component: StoreArea });
const storeHome = createRoute({
  getParentRoute: () => store,
  path: '/',
  validateSearch: readOverviewSearch,
  component: lazyRouteComponent(() => import('../../features/overview/store-home.tsx'), 'StoreHome'),
});
const conversions = createRoute({
  getParentRoute: () => store,
  path: '/conversions',
  validateSearch: readConversionsSearch,
  component: lazyRouteComponent(() => import('../../features/conversions/conversions.tsx'), 'Conversions'),
});
const disputes = createRoute({
  getParentRoute: () => store,
  path: '/disputes',
  validateSearch: readDisputesSearch,
  component: lazyRouteComponent(() => import('../../features/disputes/store-disputes.tsx'), 'StoreDisputes'),
});
const subscriptions = createRoute({
  getParentRoute: () => store,
  path: '/subscriptions',
  validateSearch: readSubscriptionsSearch,
  component: lazyRouteComponent(() => import('../../features/subscriptions/subscriptions.tsx'), 'Subscriptions'),
});
const trackingLog = createRoute({
  getParentRoute: () => store,
  path: '/tracking-log',
  validateSearch: readTrackingLogSearch,
  component: lazyRouteComponent(() => import('../../features/tracking/tracking-log.tsx'), 'TrackingLog'),
});
const integration = createRoute({
  getParentRoute: () => store,
  path: '/integration',
  component: lazyRouteComponent(() => import('../../features/integration/integration.tsx'), 'Integration'),
});
const programs = createRoute({
  getParentRoute: () => store,
  path: '/programs',
  validateSearch: readSortedSearch,
  component: lazyRouteComponent(() => import('../../features/programs/programs.tsx'), 'Programs'),
});
const newProgram = createRoute({
  getParentRoute: () => store,
  path: '/new-program',
  component: lazyRouteComponent(() => import('../../features/programs/new-program.tsx'), 'NewProgram'),
});
const program = createRoute({
  getParentRoute: () => store,
  path: '/programs/$program',
  component: lazyRouteComponent(() => import('../../features/programs/program-page.tsx'), 'ProgramPage'),
});
const programSettings = createRoute({
  getParentRoute: () => store,
  path: '/programs/$program/settings',
  component: lazyRouteComponent(() => import('../../features/programs/program-settings.tsx'), 'ProgramSettingsPage'),
});
const newTerms = createRoute({
  getParentRoute: () => store,
  path: '/programs/$program/new-terms',
  component: lazyRouteComponent(() => import('../../features/programs/new-terms.tsx'), 'NewTerms'),
});
const creators = createRoute({
  getParentRoute: () => store,
  path: '/creators',
  validateSearch: readCreatorsSearch,
  component: lazyRouteComponent(() => import('../../features/creators/store-creators.tsx'), 'StoreCreators'),
});
const creator = createRoute({
  getParentRoute: () => store,
  path: '/creators/$creator',
  validateSearch: readCreatorSearch,
  component: lazyRouteComponent(() => import('../../features/creators/creator-page.tsx'), 'CreatorPage'),
});
const codes = createRoute({
  getParentRoute: () => store,
  path: '/codes',
  validateSearch: readCodesSearch,
  component: lazyRouteComponent(() => import('../../features/codes/codes.tsx'), 'Codes'),
});
const attribution = createRoute({
  getParentRoute: () => store,
  path: '/attribution',
  validateSearch: readAlternativesSearch,
  component: lazyRouteComponent(() => import('../../features/codes/attribution-alternatives.tsx'), 'AttributionAlternativesPage'),
});
const creatorInvitations = createRoute({
  getParentRoute: () => store,
  path: '/creator-invitations',
  validateSearch: readInvitationsSearch,
  component: lazyRouteComponent(() => import('../../features/creators/creator-invitations.tsx'), 'CreatorInvitations'),
});
const creatorImports = createRoute({
  getParentRoute: () => store,
  path: '/creator-imports',
  component: lazyRouteComponent(() => import('../../features/creators/creator-imports.tsx'), 'CreatorImports'),
});
const creatorImport = createRoute({
  getParentRoute: () => store,
  path: '/creator-imports/$import',
  validateSearch: readImportSearch,
  component: lazyRouteComponent(() => import('../../features/creators/creator-import-page.tsx'), 'CreatorImportPage'),
});
const creatorMessages = createRoute({
  getParentRoute: () => store,
  path: '/creator-messages',
  validateSearch: readMessagesSearch,
  component: lazyRouteComponent(() => import('../../features/creators/creator-messages.tsx'), 'CreatorMessages'),
});
const customer = createRoute({
  getParentRoute: () => store,
  path: '/customers/$customer',
  component: lazyRouteComponent(() => import('../../features/stores/customer-page.tsx'), 'CustomerPage'),
});
const billing = createRoute({
  getParentRoute: () => store,
  path: '/billing',
  validateSearch: readBillingSearch,
  component: lazyRouteComponent(() => import('../../features/billing/billing.tsx'), 'Billing'),
});
const statement = createRoute({
  getParentRoute: () => store,
  path: '/statement',
  validateSearch: readStatementSearch,
  component: lazyRouteComponent(() => import('../../features/billing/store-statement.tsx'), 'StoreStatement'),
});
const team = createRoute({
  getParentRoute: () => store,
  path: '/team',
  component: lazyRouteComponent(() => import('../../features/team/team.tsx'), 'Team'),
});
const storeApiKeys = createRoute({
  getParentRoute: () => store,
  path: '/api-keys',
  component: lazyRouteComponent(() => import('../../features/access/api-keys.tsx'), 'StoreApiKeys'),
});
const webhooks = createRoute({
  getParentRoute: () => store,
  path: '/webhooks',
  component: lazyRouteComponent(() => import('../../features/webhooks/webhooks.tsx'), 'Webhooks'),
});
const webhookEndpoint = createRoute({
  getParentRoute: () => store,
  path: '/webhooks/$endpoint',
  validateSearch: readWebhookSearch,
  component: lazyRouteComponent(() => import('../../features/webhooks/webhook-endpoint-page.tsx'), 'WebhookEndpointPage'),
});
const stripe = createRoute({
  getParentRoute: () => store,
  path: '/integration/stripe',
  validateSearch: readStripeSearch,
  component: lazyRouteComponent(() => import('../../features/stripe/stripe-page.tsx'), 'StripePage'),
});
const shopify = createRoute({
  getParentRoute: () => store,
  path: '/integration/shopify',
  validateSearch: readShopifySearch,
  component: lazyRouteComponent(() => import('../../features/shopify/shopify-page.tsx'), 'ShopifyPage'),
});
const storeAuditLog = createRoute({
  getParentRoute: () => store,
  path: '/audit-log',
  validateSearch: readAuditSearch,
  component: lazyRouteComponent(() => import('../../features/audit/audit-log.tsx'), 'StoreAuditLog'),
});
const storeMails = createRoute({
  getParentRoute: () => store,
  path: '/mails',
  validateSearch: readSortedPosition,
  component: lazyRouteComponent(() => import('../../features/team/store-emails.tsx'), 'StoreEmails'),
});
const storeSettings = createRoute({
  getParentRoute: () => store,
  path: '/settings',
  component: lazyRouteComponent(() => import('../../features/stores/store-settings.tsx'), 'StoreSettings'),
});

const customerData = createRoute({
  getParentRoute: () => store,
  path: '/customer-data',
  component: lazyRouteComponent(() => import('../../features/stores/customer-data.tsx'), 'CustomerData'),
});

/** Another store is another page: inputs, selections and data of the previous store are discarded. */
function StoreArea() {
  const { store: id } = useParams({ from: '/signed-in/stores/$store' });
  return <Outlet key={id} />;
}

/** The pages of one store and their URLs. */
export const storeRoutes = store.addChildren([
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
  creator,
  codes,
  attribution,
  creatorInvitations,
  creatorImports,
  creatorImport,
  creatorMessages,
  customer,
  billing,
  statement,
  team,
  storeApiKeys,
  webhooks,
  webhookEndpoint,
  stripe,
  shopify,
  storeAuditLog,
  storeMails,
  customerData,
  storeSettings,
]);
