import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { api, ApiProblem } from '../api.ts';
import { ConfirmButton, useAction, type Action } from '../parts/dialog.tsx';
import { useHasRows } from '../parts/has-rows.ts';
import { ButtonLink, TextLink } from '../parts/links.tsx';
import { Page, Section } from '../parts/page.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { refresh } from '../parts/reading.ts';
import { Waiting } from '../parts/table.tsx';
import { useMay } from '../people/may.ts';
import { Members } from './members.tsx';
import { programPath, programReading, termsList, type Program as ProgramShape } from './programs-api.ts';
import { Simulator } from './simulator.tsx';
import { ProgramChip } from './store-chips.tsx';
import { TermsVersions } from './terms-versions.tsx';

/** One program: what it pays, since when, and who takes part. */
export function Program() {
  const params = useParams({ from: '/inside/stores/$store/programs/$program' });
  const program = useQuery(programReading(params.store, params.program));
  const above = (
    <TextLink to="/stores/$store/programs" params={params}>
      Programs
    </TextLink>
  );
  if (program.isSuccess) return <Found program={program.data} params={params} above={above} />;
  return (
    <Page title="Program" above={above}>
      {program.isPending ? <Waiting /> : <ProblemNote problem={program.error} onRetry={() => void program.refetch()} />}
    </Page>
  );
}

type FoundProps = {
  readonly program: ProgramShape;
  readonly params: { readonly store: string; readonly program: string };
  readonly above: React.ReactNode;
};

function Found({ program, params, above }: FoundProps) {
  const { store } = params;
  const mayChange = useMay(store)('programs:write');
  const hasTerms = useHasRows(termsList(store, program.id));
  const publish = useAction(useChangeState(store, program.id, 'publish'));
  return (
    <Page
      title={program.name}
      above={above}
      intro={
        <>
          <ProgramChip status={program.status} /> Links lead to {program.landing_url}
        </>
      }
      actions={
        mayChange && (
          <>
            <ButtonLink variant="default" to="/stores/$store/programs/$program/settings" params={params}>
              Settings
            </ButtonLink>
            <PublishOrPause store={store} program={program} publish={publish} hasTerms={hasTerms} />
          </>
        )
      }
    >
      {publish.problem && <ProblemNote problem={publish.problem} next={<WayToTracking store={store} problem={publish.problem} />} />}
      <Section
        title="Terms"
        intro="Terms are only ever added to: what was promised for an order stays as it was."
        flush
        actions={
          mayChange &&
          hasTerms && (
            <ButtonLink variant="default" size="xs" to="/stores/$store/programs/$program/new-terms" params={params}>
              New version
            </ButtonLink>
          )
        }
      >
        <TermsVersions store={store} program={program.id} />
      </Section>
      {hasTerms && (
        <Section
          title="What would an order earn?"
          intro="Asked of the decision that real orders go through, with the terms of its time. Nothing is recorded."
        >
          <Simulator store={store} program={program.id} withProducts />
        </Section>
      )}
      <Members store={store} program={program.id} mayChange={mayChange} />
    </Page>
  );
}

function useChangeState(store: string, program: string, word: 'publish' | 'pause'): () => Promise<unknown> {
  const client = useQueryClient();
  return async () => {
    await api.post(`${programPath(store, program)}/${word}`);
    await refresh(client, `/stores/${store}`);
  };
}

type PublishOrPauseProps = {
  readonly store: string;
  readonly program: ProgramShape;
  readonly publish: Action;
  /** Without them it cannot be published: then writing them is the next step, and looks like it. */
  readonly hasTerms: boolean;
};

function PublishOrPause({ store, program, publish, hasTerms }: PublishOrPauseProps) {
  const pause = useChangeState(store, program.id, 'pause');
  if (program.status !== 'published') {
    return (
      <Button variant={hasTerms ? 'filled' : 'default'} loading={publish.running} onClick={publish.run}>
        Publish
      </Button>
    );
  }
  return (
    <ConfirmButton label="Pause" size="sm" title="Pause this program?" confirm="Pause it" run={pause}>
      <p>Its links stop giving clicks that earn. Orders of clicks made before still count, and you can publish it again at any time.</p>
    </ConfirmButton>
  );
}

function WayToTracking({ store, problem }: { readonly store: string; readonly problem: Error }) {
  if (!(problem instanceof ApiProblem) || problem.reason !== 'tracking_is_off') return null;
  return (
    <ButtonLink variant="default" size="xs" to="/stores/$store/integration" params={{ store }}>
      Make a test link
    </ButtonLink>
  );
}
