import { useQuery } from '@tanstack/react-query';
import { useRouteContext } from '@tanstack/react-router';
import { useState } from 'react';
import { reading } from '../parts/reading.ts';

/** The service's time when the page was opened: in the sandbox it may be days ahead of the viewer's clock, and only operators may ask. */
export function useNow(): Date {
  const { session } = useRouteContext({ from: '/inside' });
  const [opened] = useState(() => new Date());
  const clock = useQuery({
    ...reading<{ now: string }>('/sandbox/clock'),
    enabled: session.mode === 'sandbox' && session.is_operator,
  });
  return clock.data === undefined ? opened : new Date(clock.data.now);
}
