import type { QueryClient } from '@tanstack/react-query';
import { createRoute, createRouter, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { setApiHandlers } from '../../api/client.ts';
import {
  readCreatorAssetsSearch,
  readCreatorSettingsSearch,
  readCreatorHomeSearch,
  readCreatorLinksSearch,
  readCreatorSubscriptionsSearch,
  readRefusedOrdersSearch,
  readSalesSearch,
} from '../../features/portal/creator-search.ts';
import '../../features/shopify/arrived-with.ts';
import { readInstallSearch, readStatementSearch } from '../../features/stores/store-search-params.ts';
import { PageError, PageLoading, NotFound } from '../shell/page-states.tsx';
import { clearSession, homeRoute, sessionQuery } from '../../session/session.ts';
import { signedInRoute, rootRoute } from './signed-in.tsx';
import { operatorRoutes } from './operator.tsx';
import { storeRoutes } from './store.tsx';
import { storedViewAs } from '../../session/view-as.ts';
import { readPagePosition, readSortedPosition } from '../../ui/search-params.ts';

/** Every page of the dashboards and its URL. A page's code loads when the page is first opened. */
export function createAppRouter(client: QueryClient) {
  const router = createRouter({
    routeTree: rootRoute.addChildren([
      startRoute,
      signIn,
      signUp,
      oneTimeLink,
      forgotPassword,
      publicProgram,
      signedInRoute.addChildren([
        account,
        notifications,
        setUpSecondFactor,
        stores,
        newStore,
        shopifyInstall,
        shopifyCallback,
        storeRoutes,
        operatorRoutes,
        creator.addChildren([
          creatorHome,
          myPrograms,
          ownLinks,
          ownCodes,
          sales,
          refusedOrders,
          ownSubscriptions,
          receivedMessages,
          assets,
          payouts,
          payout,
          creatorStatement,
          creatorApiKeys,
          creatorSettings,
        ]),
      ]),
    ]),
    context: { client },
    defaultPreload: 'intent',
    defaultPendingMs: 150,
    defaultPendingMinMs: 0,
    defaultPendingComponent: PageLoading,
    defaultErrorComponent: PageError,
    defaultNotFoundComponent: NotFound,
    scrollRestoration: true,
  });
  setApiHandlers({
    isReadOnly: () => storedViewAs() !== null,
    onSignedOut: () => {
      const session = client.getQueryData(sessionQuery.queryKey);
      // On public pages, where visitors are signed out, there is no session to clear.
      const isInside = router.state.matches.some(({ routeId }) => routeId === signedInRoute.id);
      if (session === null || (session === undefined && !isInside)) return;
      void clearSession(client, () => router.invalidate());
    },
  });
  return router;
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>;
  }
}

const shopifyInstall = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/shopify/install',
  validateSearch: readInstallSearch,
  component: lazyRouteComponent(() => import('../../features/shopify/install-page.tsx'), 'ShopifyInstallPage'),
});
const shopifyCallback = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/shopify/callback',
  component: lazyRouteComponent(() => import('../../features/shopify/callback-page.tsx'), 'ShopifyCallbackPage'),
});
const setUpSecondFactor = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/second-factor',
  beforeLoad: ({ context }) => {
    if (!context.session.second_factor_required) throw redirect({ ...homeRoute(context.session), replace: true });
  },
  component: lazyRouteComponent(() => import('../../features/account/second-factor.tsx'), 'SetUpSecondFactor'),
});
const startRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  beforeLoad: async ({ context }) => {
    throw redirect({ ...homeRoute(await context.client.fetchQuery(sessionQuery)), replace: true });
  },
});

/** Where to go after signing in. Only a path of this site is accepted, so that a link cannot redirect people elsewhere. */
const readNext = (search: Record<string, unknown>): { readonly next?: string } =>
  typeof search['next'] === 'string' && /^\/(?![/\\])/.test(search['next']) ? { next: search['next'] } : {};

const signIn = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in',
  validateSearch: readNext,
  component: lazyRouteComponent(() => import('../../features/sign-in/sign-in.tsx'), 'SignIn'),
});
const signUp = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-up',
  validateSearch: readNext,
  component: lazyRouteComponent(() => import('../../features/sign-in/sign-up.tsx'), 'SignUp'),
});
const oneTimeLink = createRoute({
  getParentRoute: () => rootRoute,
  path: '/link',
  validateSearch: (search: Record<string, unknown>): { readonly next?: string; readonly for?: 'email' } => ({
    ...readNext(search),
    ...(search['for'] === 'email' && { for: 'email' as const }),
  }),
  component: lazyRouteComponent(() => import('../../features/sign-in/one-time-link.tsx'), 'OneTimeLink'),
});
const forgotPassword = createRoute({
  getParentRoute: () => rootRoute,
  path: '/forgot-password',
  component: lazyRouteComponent(() => import('../../features/sign-in/forgot-password.tsx'), 'ForgotPassword'),
});

/** A program's public page, for signed-in and signed-out visitors. */
const publicProgram = createRoute({
  getParentRoute: () => rootRoute,
  path: '/programs/$program',
  component: lazyRouteComponent(() => import('../../features/portal/public-program.tsx'), 'PublicProgram'),
});

const account = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/account',
  component: lazyRouteComponent(() => import('../../features/account/account.tsx'), 'Account'),
});

const notifications = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/notifications',
  validateSearch: readPagePosition,
  component: lazyRouteComponent(() => import('../../features/notifications/notifications.tsx'), 'Notifications'),
});

const stores = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/stores',
  validateSearch: readSortedPosition,
  component: lazyRouteComponent(() => import('../../features/stores/my-stores.tsx'), 'MyStores'),
});
const newStore = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/new-store',
  component: lazyRouteComponent(() => import('../../features/stores/new-store.tsx'), 'NewStore'),
});

const creator = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/creator',
  component: lazyRouteComponent(() => import('../../features/portal/creator-area.tsx'), 'CreatorArea'),
});
const creatorHome = createRoute({
  getParentRoute: () => creator,
  path: '/',
  validateSearch: readCreatorHomeSearch,
  component: lazyRouteComponent(() => import('../../features/portal/creator-home.tsx'), 'CreatorHome'),
});
const myPrograms = createRoute({
  getParentRoute: () => creator,
  path: '/programs',
  component: lazyRouteComponent(() => import('../../features/portal/creator-programs.tsx'), 'CreatorPrograms'),
});
const ownLinks = createRoute({
  getParentRoute: () => creator,
  path: '/links',
  validateSearch: readCreatorLinksSearch,
  component: lazyRouteComponent(() => import('../../features/portal/creator-links.tsx'), 'CreatorLinks'),
});
const ownCodes = createRoute({
  getParentRoute: () => creator,
  path: '/codes',
  validateSearch: readSortedPosition,
  component: lazyRouteComponent(() => import('../../features/portal/creator-codes.tsx'), 'CreatorCodes'),
});
const sales = createRoute({
  getParentRoute: () => creator,
  path: '/sales',
  validateSearch: readSalesSearch,
  component: lazyRouteComponent(() => import('../../features/portal/creator-sales.tsx'), 'CreatorSales'),
});
const refusedOrders = createRoute({
  getParentRoute: () => creator,
  path: '/refused-orders',
  validateSearch: readRefusedOrdersSearch,
  component: lazyRouteComponent(() => import('../../features/portal/refused-orders.tsx'), 'RefusedOrders'),
});
const ownSubscriptions = createRoute({
  getParentRoute: () => creator,
  path: '/subscriptions',
  validateSearch: readCreatorSubscriptionsSearch,
  component: lazyRouteComponent(() => import('../../features/portal/creator-subscriptions.tsx'), 'CreatorSubscriptions'),
});
const receivedMessages = createRoute({
  getParentRoute: () => creator,
  path: '/messages',
  validateSearch: readPagePosition,
  component: lazyRouteComponent(() => import('../../features/portal/creator-messages.tsx'), 'CreatorMessages'),
});
const assets = createRoute({
  getParentRoute: () => creator,
  path: '/assets',
  validateSearch: readCreatorAssetsSearch,
  component: lazyRouteComponent(() => import('../../features/portal/creator-assets.tsx'), 'CreatorAssets'),
});
const payouts = createRoute({
  getParentRoute: () => creator,
  path: '/payouts',
  validateSearch: readSortedPosition,
  component: lazyRouteComponent(() => import('../../features/portal/creator-payouts.tsx'), 'CreatorPayouts'),
});
const payout = createRoute({
  getParentRoute: () => creator,
  path: '/payouts/$payout',
  component: lazyRouteComponent(() => import('../../features/portal/creator-payouts.tsx'), 'CreatorPayout'),
});
const creatorStatement = createRoute({
  getParentRoute: () => creator,
  path: '/statement',
  validateSearch: readStatementSearch,
  component: lazyRouteComponent(() => import('../../features/portal/creator-statement.tsx'), 'CreatorStatement'),
});
const creatorApiKeys = createRoute({
  getParentRoute: () => creator,
  path: '/api-keys',
  component: lazyRouteComponent(() => import('../../features/access/api-keys.tsx'), 'CreatorApiKeys'),
});
const creatorSettings = createRoute({
  getParentRoute: () => creator,
  path: '/settings',
  validateSearch: readCreatorSettingsSearch,
  component: lazyRouteComponent(() => import('../../features/portal/creator-settings.tsx'), 'CreatorSettings'),
});
