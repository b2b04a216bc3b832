import { Loader } from '@mantine/core';
import { useRouter, type ErrorComponentProps } from '@tanstack/react-router';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { TextLink } from '../../ui/links.tsx';
import { Page } from '../../ui/page.tsx';

/** Shown instead of a page that failed to load or render, for example without a network. */
export function PageError({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const retry = () => {
    reset();
    void router.invalidate();
  };
  return (
    <Page title="This page could not be shown" narrow>
      <ErrorAlert error={error instanceof Error ? error : new Error(String(error))} onRetry={retry} />
    </Page>
  );
}

export function PageLoading() {
  return (
    <div role="status" data-pending style={{ display: 'flex', gap: 12, alignItems: 'center', padding: '32px 24px' }}>
      <Loader size="sm" aria-hidden="true" />
      Loading…
    </div>
  );
}

export function NotFound() {
  return (
    <Page title="There is no page here" narrow>
      <p>
        The address may be mistyped, or what stood here is gone. <TextLink to="/">Go to the first page</TextLink>.
      </p>
    </Page>
  );
}
