import { useQuery } from '@tanstack/react-query';
import { useRouteContext } from '@tanstack/react-router';
import { reading } from '../parts/reading.ts';

/** The service's time: in the sandbox it may be days ahead of the viewer's clock. */
export function useNow(): Date {
  const { session } = useRouteContext({ from: '/inside' });
  const clock = useQuery({ ...reading<{ now: string }>('/sandbox/clock'), enabled: session.mode === 'sandbox', retry: false });
  return clock.data === undefined ? new Date() : new Date(clock.data.now);
}
