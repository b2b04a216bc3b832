import { useRouter, type ErrorComponentProps } from '@tanstack/react-router';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { TextLink } from '../../ui/links.tsx';
import { Page } from '../../ui/page.tsx';
import { t } from '../messages.ts';
import { rich } from '../../messages/rich-text.tsx';

/** Shown instead of a page that failed to load or render, for example without a network. */
export function PageError({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const retry = () => {
    reset();
    void router.invalidate();
  };
  return (
    <Page title={t.page_states.couldnt_load_this_page} narrow>
      <ErrorAlert error={error instanceof Error ? error : new Error(String(error))} onRetry={retry} />
    </Page>
  );
}

export function PageLoading() {
  return (
    <div role="status" data-pending style={{ display: 'flex', gap: 12, alignItems: 'center', padding: '32px 24px' }}>
      {rich(t.page_states.loading, { loader: <span className="loader" aria-hidden="true" /> })}
    </div>
  );
}

export function NotFound() {
  return (
    <Page title={t.page_states.page_not_found} narrow>
      <p>{rich(t.page_states.the_address_may_be_wrong, { link: <TextLink to="/" /> })}</p>
    </Page>
  );
}
