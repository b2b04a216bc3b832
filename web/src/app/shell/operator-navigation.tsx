import { useRouteContext } from '@tanstack/react-router';
import { NavigationGroups } from './navigation.tsx';
import { operatorPages } from './operator-pages.ts';

/** The navigation of the operator console, which most people never load. */
export function OperatorNavigation() {
  const { session } = useRouteContext({ from: '/signed-in' });
  return <NavigationGroups groups={operatorPages(session.mode)} />;
}
