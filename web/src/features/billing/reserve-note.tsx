import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../ui/queries.ts';

type Reserve = { readonly state: 'over' | 'running' | 'not_started'; readonly until: string | null };

const formatUtcDate = (at: string): string => new Date(at).toLocaleDateString('en-US', { dateStyle: 'long', timeZone: 'UTC' });

/** The end of a new store's reserve period, in which its creators are not paid yet; hidden afterwards. */
export function ReserveNote({ store }: { readonly store: string }) {
  const reserve = useQuery(apiQuery<Reserve>(`/stores/${store}/reserve`));
  if (!reserve.isSuccess || reserve.data.state === 'over') return null;
  return <p>{reserveText(reserve.data)}</p>;
}

function reserveText({ state, until }: Reserve): string {
  if (state === 'not_started')
    return 'Your store is new: a reserve period begins with its first successful charge. Creators are paid after it.';
  if (until === null) return 'Your store is new: its creators are paid once more of its invoices are paid.';
  return `Your store is new: what its first charges paid for is paid out to creators from ${formatUtcDate(until)} (UTC) on.`;
}
