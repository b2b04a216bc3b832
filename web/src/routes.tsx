import type { QueryClient } from '@tanstack/react-query';
import { createRootRouteWithContext, createRoute, createRouter, lazyRouteComponent, Outlet, redirect } from '@tanstack/react-router';
import { listenToApi } from './api.ts';
import { readOwnLinksSearch, readOwnSubscriptionsSearch, readSalesSearch } from './creator/creator-search.ts';
import {
  readBillingSearch,
  readConversionsSearch,
  readOverviewSearch,
  readStatementSearch,
  readSubscriptionsSearch,
  readTrackingLogSearch,
} from './merchant/list-search.ts';
import { Alone } from './shell/alone.tsx';
import { PageProblem } from './shell/page-problem.tsx';
import { PageWaiting } from './shell/page-waiting.tsx';
import { leave } from './shell/leave.ts';
import { homeOf } from './shell/home-of.ts';
import { sessionQuery } from './shell/session.ts';
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
        stores,
        newStore,
        store.addChildren([
          storeHome,
          conversions,
          subscriptions,
          trackingLog,
          integration,
          programs,
          newProgram,
          program,
          programSettings,
          newTerms,
          billing,
          statement,
          team,
          storeApiKeys,
          storeAuditLog,
          storeSettings,
        ]),
        operator.addChildren([operatorStores, creators, operators, operatorApiKeys, operatorAuditLog, mails, openMail, sandboxClock]),
        creator.addChildren([
          creatorHome,
          myPrograms,
          ownLinks,
          sales,
          ownSubscriptions,
          payouts,
          payout,
          creatorStatement,
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

const root = createRootRouteWithContext<{ readonly client: QueryClient }>()({
  component: Outlet,
  notFoundComponent: () => <Alone children={<NotFound />} />,
  errorComponent: (props) => <Alone children={<PageProblem {...props} />} />,
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
  component: lazyRouteComponent(() => import('./sign-in/sign-up.tsx'), 'SignUp'),
});
const oneTimeLink = createRoute({
  getParentRoute: () => root,
  path: '/link',
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

/** All pages that need somebody to be signed in. */
const inside = createRoute({
  getParentRoute: () => root,
  id: 'inside',
  beforeLoad: async ({ context, location }) => {
    const session = await context.client.fetchQuery(sessionQuery);
    if (session === null) throw redirect({ to: '/sign-in', search: location.href === '/' ? {} : { next: location.href }, replace: true });
    return { session };
  },
  errorComponent: (props) => <Alone children={<PageProblem {...props} />} />,
  component: lazyRouteComponent(() => import('./shell/shell.tsx'), 'Shell'),
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
const store = createRoute({ getParentRoute: () => inside, path: '/stores/$store', component: Outlet });
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
const storeAuditLog = createRoute({
  getParentRoute: () => store,
  path: '/audit-log',
  component: lazyRouteComponent(() => import('./merchant/audit-log.tsx'), 'StoreAuditLog'),
});
const storeSettings = createRoute({
  getParentRoute: () => store,
  path: '/settings',
  component: lazyRouteComponent(() => import('./merchant/store-settings.tsx'), 'StoreSettings'),
});

const operator = createRoute({
  getParentRoute: () => inside,
  path: '/operator',
  // Others would be refused by the service anyway; this spares them a page of refusals.
  beforeLoad: ({ context }) => {
    if (!context.session.is_operator) throw redirect({ ...homeOf(context.session), replace: true });
  },
  component: Outlet,
});
const operatorStores = createRoute({
  getParentRoute: () => operator,
  path: '/',
  component: lazyRouteComponent(() => import('./operator/stores.tsx'), 'OperatorStores'),
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
const creatorSettings = createRoute({
  getParentRoute: () => creator,
  path: '/settings',
  component: lazyRouteComponent(() => import('./creator/creator-settings.tsx'), 'CreatorSettings'),
});
