import type { QueryClient } from '@tanstack/react-query';
import { createRoute, createRouter, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { listenToApi } from './api.ts';
import {
  readCreatorSettingsSearch,
  readOwnLinksSearch,
  readOwnSubscriptionsSearch,
  readRefusedOrdersSearch,
  readSalesSearch,
} from './creator/creator-search.ts';
import { readStatementSearch } from './merchant/list-search.ts';
import { PageProblem } from './shell/page-problem.tsx';
import { PageWaiting } from './shell/page-waiting.tsx';
import { leave } from './shell/leave.ts';
import { homeOf } from './shell/home-of.ts';
import { inside, root } from './routes-inside.tsx';
import { operatorArea } from './routes-of-operator.tsx';
import { storeArea } from './routes-of-store.tsx';
import { sessionQuery } from './shell/session.ts';
import { viewing } from './shell/viewing.ts';
import { NotFound } from './shell/not-found.tsx';

/** Every page of the dashboards and its address, on one page. A page's code is fetched when it is first opened. */
export function makeRouter(client: QueryClient) {
  const router = createRouter({
    routeTree: root.addChildren([
      front,
      signIn,
      signUp,
      oneTimeLink,
      forgotPassword,
      publicProgram,
      inside.addChildren([
        account,
        setUpSecondFactor,
        stores,
        newStore,
        storeArea,
        operatorArea,
        creator.addChildren([
          creatorHome,
          myPrograms,
          ownLinks,
          sales,
          refusedOrders,
          ownSubscriptions,
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
    defaultPendingComponent: PageWaiting,
    defaultErrorComponent: PageProblem,
    defaultNotFoundComponent: NotFound,
    scrollRestoration: true,
  });
  listenToApi({
    isOnlyLooking: () => viewing() !== null,
    onSignedOut: () => {
      const session = client.getQueryData(sessionQuery.queryKey);
      // Outside, where nobody was known to be signed in, there is nobody to leave: the page goes on as it is.
      const isInside = router.state.matches.some(({ routeId }) => routeId === inside.id);
      if (session === null || (session === undefined && !isInside)) return;
      void leave(client, () => router.invalidate());
    },
  });
  return router;
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof makeRouter>;
  }
}

const setUpSecondFactor = createRoute({
  getParentRoute: () => inside,
  path: '/second-factor',
  beforeLoad: ({ context }) => {
    if (!context.session.second_factor_required) throw redirect({ ...homeOf(context.session), replace: true });
  },
  component: lazyRouteComponent(() => import('./account/set-up-second-factor.tsx'), 'SetUpSecondFactor'),
});
const front = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: async ({ context }) => {
    throw redirect({ ...homeOf(await context.client.fetchQuery(sessionQuery)), replace: true });
  },
});

/** Where to go after signing in; only a path of this site, so that a link cannot send people elsewhere. */
const withNext = (search: Record<string, unknown>): { readonly next?: string } =>
  typeof search['next'] === 'string' && /^\/(?![/\\])/.test(search['next']) ? { next: search['next'] } : {};

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: withNext,
  component: lazyRouteComponent(() => import('./sign-in/sign-in.tsx'), 'SignIn'),
});
const signUp = createRoute({
  getParentRoute: () => root,
  path: '/sign-up',
  validateSearch: withNext,
  component: lazyRouteComponent(() => import('./sign-in/sign-up.tsx'), 'SignUp'),
});
const oneTimeLink = createRoute({
  getParentRoute: () => root,
  path: '/link',
  validateSearch: (search: Record<string, unknown>): { readonly next?: string; readonly for?: 'email' } => ({
    ...withNext(search),
    ...(search['for'] === 'email' && { for: 'email' as const }),
  }),
  component: lazyRouteComponent(() => import('./sign-in/one-time-link.tsx'), 'OneTimeLink'),
});
const forgotPassword = createRoute({
  getParentRoute: () => root,
  path: '/forgot-password',
  component: lazyRouteComponent(() => import('./sign-in/forgot-password.tsx'), 'ForgotPassword'),
});

/** A program's own page, for whoever was given its address; signed in or not. */
const publicProgram = createRoute({
  getParentRoute: () => root,
  path: '/programs/$program',
  component: lazyRouteComponent(() => import('./creator/public-program.tsx'), 'PublicProgram'),
});

const account = createRoute({
  getParentRoute: () => inside,
  path: '/account',
  component: lazyRouteComponent(() => import('./account/account.tsx'), 'Account'),
});

const stores = createRoute({
  getParentRoute: () => inside,
  path: '/stores',
  component: lazyRouteComponent(() => import('./merchant/stores.tsx'), 'Stores'),
});
const newStore = createRoute({
  getParentRoute: () => inside,
  path: '/new-store',
  component: lazyRouteComponent(() => import('./merchant/new-store.tsx'), 'NewStore'),
});

const creator = createRoute({
  getParentRoute: () => inside,
  path: '/creator',
  component: lazyRouteComponent(() => import('./creator/creator-area.tsx'), 'CreatorArea'),
});
const creatorHome = createRoute({
  getParentRoute: () => creator,
  path: '/',
  component: lazyRouteComponent(() => import('./creator/creator-home.tsx'), 'CreatorHome'),
});
const myPrograms = createRoute({
  getParentRoute: () => creator,
  path: '/programs',
  component: lazyRouteComponent(() => import('./creator/my-programs.tsx'), 'MyPrograms'),
});
const ownLinks = createRoute({
  getParentRoute: () => creator,
  path: '/links',
  validateSearch: readOwnLinksSearch,
  component: lazyRouteComponent(() => import('./creator/own-links.tsx'), 'OwnLinks'),
});
const sales = createRoute({
  getParentRoute: () => creator,
  path: '/sales',
  validateSearch: readSalesSearch,
  component: lazyRouteComponent(() => import('./creator/sales.tsx'), 'Sales'),
});
const refusedOrders = createRoute({
  getParentRoute: () => creator,
  path: '/refused-orders',
  validateSearch: readRefusedOrdersSearch,
  component: lazyRouteComponent(() => import('./creator/refused-orders.tsx'), 'RefusedOrders'),
});
const ownSubscriptions = createRoute({
  getParentRoute: () => creator,
  path: '/subscriptions',
  validateSearch: readOwnSubscriptionsSearch,
  component: lazyRouteComponent(() => import('./creator/own-subscriptions.tsx'), 'OwnSubscriptions'),
});
const payouts = createRoute({
  getParentRoute: () => creator,
  path: '/payouts',
  component: lazyRouteComponent(() => import('./creator/payouts.tsx'), 'Payouts'),
});
const payout = createRoute({
  getParentRoute: () => creator,
  path: '/payouts/$payout',
  component: lazyRouteComponent(() => import('./creator/payout.tsx'), 'Payout'),
});
const creatorStatement = createRoute({
  getParentRoute: () => creator,
  path: '/statement',
  validateSearch: readStatementSearch,
  component: lazyRouteComponent(() => import('./creator/creator-statement.tsx'), 'CreatorStatement'),
});
const creatorApiKeys = createRoute({
  getParentRoute: () => creator,
  path: '/api-keys',
  component: lazyRouteComponent(() => import('./creator/creator-api-keys.tsx'), 'CreatorApiKeys'),
});
const creatorSettings = createRoute({
  getParentRoute: () => creator,
  path: '/settings',
  validateSearch: readCreatorSettingsSearch,
  component: lazyRouteComponent(() => import('./creator/creator-settings.tsx'), 'CreatorSettings'),
});
