import { useRouter, type ErrorComponentProps } from '@tanstack/react-router';
import { Page } from '../parts/page.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';

/** What stands in a page's place when it could not be made, such as without a network. */
export function PageProblem({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const retry = () => {
    reset();
    void router.invalidate();
  };
  return (
    <Page title="This page could not be shown" narrow>
      <ProblemNote problem={error instanceof Error ? error : new Error(String(error))} onRetry={retry} />
    </Page>
  );
}
