import { ButtonLink } from '../../ui/links.tsx';
import { EmptyState } from '../../ui/page.tsx';
import type { ConversionFilter } from '../stores/store-search-params.ts';

type EmptyConversionsProps = { readonly store: string; readonly filter: ConversionFilter; readonly isFirst: boolean };

/** Each reason for an empty list has its own next step. */
export function EmptyConversions({ store, filter, isFirst }: EmptyConversionsProps) {
  const toAll = (
    <ButtonLink variant="default" size="xs" to="/stores/$store/conversions" params={{ store }}>
      Show all conversions
    </ButtonLink>
  );
  if (!isFirst)
    return (
      <EmptyState title="This page is empty now" action={toAll}>
        What stood on it no longer matches. Go to the first page.
      </EmptyState>
    );
  if (filter.state === 'pending' && Object.keys(filter).length === 1)
    return (
      <EmptyState title="Nothing waits for you" action={toAll}>
        Every conversion has been decided. New ones appear here as your server reports them.
      </EmptyState>
    );
  if (Object.keys(filter).length > 0)
    return (
      <EmptyState title="Nothing matches" action={toAll}>
        Widen the filter. A search finds the beginning of an order’s or an invoice’s ID, letter by letter; an order that was refused stands
        in the tracking log instead.
      </EmptyState>
    );
  return (
    <EmptyState
      title="No conversion yet"
      action={
        <ButtonLink to="/stores/$store/integration" params={{ store }}>
          Set up the integration
        </ButtonLink>
      }
    >
      The first one appears when your server reports a paid order that came through a creator’s link. If one should be here already, look
      into the tracking log.
    </EmptyState>
  );
}
