import { ButtonLink } from '../../ui/links.tsx';
import { EmptyState } from '../../ui/page.tsx';

export function EmptyLog({ store, isFiltered }: { readonly store: string; readonly isFiltered: boolean }) {
  if (isFiltered)
    return (
      <EmptyState
        title="Nothing matches"
        action={
          <ButtonLink variant="default" size="xs" to="/stores/$store/tracking-log" params={{ store }}>
            Show the whole log
          </ButtonLink>
        }
      >
        Widen the filter. A request that sent no key, or a wrong one, is not in this log: it proved nobody.
      </EmptyState>
    );
  return (
    <EmptyState
      title="Your server has sent nothing yet"
      action={
        <ButtonLink to="/stores/$store/integration" params={{ store }}>
          Set up the integration
        </ButtonLink>
      }
    >
      Make a postback key, report a test order with it, and it appears here. If your server says that it reports orders already, look
      whether it is answered with 401: a request without a right key is not in this log.
    </EmptyState>
  );
}
