import type { QueryClient } from '@tanstack/react-query';
import { createRootRouteWithContext, createRoute, lazyRouteComponent, Outlet, redirect } from '@tanstack/react-router';
import { Alone } from './shell/alone.tsx';
import { NotFound } from './shell/not-found.tsx';
import { PageProblem } from './shell/page-problem.tsx';
import { sessionQuery } from './shell/session.ts';

// What all pages hang on, for routes.tsx and its neighbours.

export const root = createRootRouteWithContext<{ readonly client: QueryClient }>()({
  component: Outlet,
  notFoundComponent: () => <Alone children={<NotFound />} />,
  errorComponent: (props) => <Alone children={<PageProblem {...props} />} />,
});

/** The one page of an operator who still has to set up a second factor. */
const setUpPath = '/second-factor';

/** All pages that need somebody to be signed in. */
export const inside = createRoute({
  getParentRoute: () => root,
  id: 'inside',
  beforeLoad: async ({ context, location }) => {
    const session = await context.client.fetchQuery(sessionQuery);
    if (session === null) throw redirect({ to: '/sign-in', search: location.href === '/' ? {} : { next: location.href }, replace: true });
    if (session.second_factor_required && location.pathname !== setUpPath) throw redirect({ to: setUpPath, replace: true });
    return { session };
  },
  errorComponent: (props) => <Alone children={<PageProblem {...props} />} />,
  component: lazyRouteComponent(() => import('./shell/shell.tsx'), 'Shell'),
});
