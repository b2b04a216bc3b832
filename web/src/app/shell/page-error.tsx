import { useRouter, type ErrorComponentProps } from '@tanstack/react-router';
import { Page } from '../../ui/page.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';

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
