import { useQuery } from '@tanstack/react-query';
import { useRouteContext } from '@tanstack/react-router';
import { useState } from 'react';
import { apiQuery } from '../ui/queries.ts';

/**
 * The service's time when the page was opened. In the sandbox it may be days ahead of the viewer's clock; only operators may read it.
 */
export function useNow(): Date {
  const { session } = useRouteContext({ from: '/signed-in' });
  const [opened] = useState(() => new Date());
  const clock = useQuery({
    ...apiQuery('/sandbox/clock'),
    enabled: session.mode === 'sandbox' && session.is_operator,
  });
  return clock.data === undefined ? opened : new Date(clock.data.now);
}
