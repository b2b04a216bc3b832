import type { QueryClient } from '@tanstack/react-query';
import { createRootRouteWithContext, createRoute, lazyRouteComponent, Outlet, redirect } from '@tanstack/react-router';
import { CenteredPage } from '../../ui/centered-page.tsx';
import { NotFound, PageError } from '../shell/page-states.tsx';
import { adoptProfileLanguage, reloadInLanguageOf } from '../../session/language.ts';
import { sessionQuery } from '../../session/session.ts';

// The parent routes of all pages.

export const rootRoute = createRootRouteWithContext<{ readonly client: QueryClient }>()({
  // The address has changed already, so a reload opens the new page.
  beforeLoad: ({ location, preload }) => (preload ? undefined : reloadInLanguageOf(location.pathname)),
  component: Outlet,
  notFoundComponent: () => <CenteredPage children={<NotFound />} />,
  errorComponent: (props) => <CenteredPage children={<PageError {...props} />} />,
});

/** The only page open to an operator who still has to set up a second factor. */
const setUpPath = '/second-factor';

/** All pages that need a signed-in person. */
export const signedInRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'signed-in',
  beforeLoad: async ({ context, location, preload }) => {
    const session = await context.client.fetchQuery(sessionQuery);
    if (session === null) throw redirect({ to: '/sign-in', search: location.href === '/' ? {} : { next: location.href }, replace: true });
    if (!preload) await adoptProfileLanguage(session, location.pathname);
    if (session.second_factor_required && location.pathname !== setUpPath) throw redirect({ to: setUpPath, replace: true });
    return { session };
  },
  errorComponent: (props) => <CenteredPage children={<PageError {...props} />} />,
  component: lazyRouteComponent(() => import('../shell/shell.tsx'), 'Shell'),
});
