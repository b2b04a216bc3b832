import { useQuery } from '@tanstack/react-query';
import { reading } from '../parts/reading.ts';

type Reserve = { readonly state: 'over' | 'running' | 'not_started'; readonly until: string | null };

const day = (at: string): string => new Date(at).toLocaleDateString('en-US', { dateStyle: 'long', timeZone: 'UTC' });

/** Until when the first payments of a new store are kept back from its creators; nothing where that is over. */
export function ReserveNote({ store }: { readonly store: string }) {
  const reserve = useQuery(reading<Reserve>(`/stores/${store}/reserve`));
  if (!reserve.isSuccess || reserve.data.state === 'over') return null;
  return <p>{words(reserve.data)}</p>;
}

function words({ state, until }: Reserve): string {
  if (state === 'not_started')
    return 'Your store is new: a reserve period begins with its first successful charge. Creators are paid after it.';
  if (until === null) return 'Your store is new: its creators are paid once more of its invoices are paid.';
  return `Your store is new: what its first charges paid for is paid out to creators from ${day(until)} (UTC) on.`;
}
