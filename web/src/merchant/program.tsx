import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { api } from '../api.ts';
import { ConfirmButton, useAction } from '../parts/dialog.tsx';
import { ButtonLink, TextLink } from '../parts/links.tsx';
import { Page, Section } from '../parts/page.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { refresh } from '../parts/reading.ts';
import { Waiting } from '../parts/table.tsx';
import { Members } from './members.tsx';
import { programPath, programReading, type Program as ProgramShape } from './programs-api.ts';
import { ProgramChip } from './store-chips.tsx';
import { TermsVersions } from './terms-versions.tsx';

/** One program: what it pays, since when, and who takes part. */
export function Program() {
  const { store, program: id } = useParams({ from: '/inside/stores/$store/programs/$program' });
  const program = useQuery(programReading(store, id));
  const above = (
    <TextLink to="/stores/$store/programs" params={{ store }}>
      Programs
    </TextLink>
  );
  if (program.isPending) return <Page title="Program" above={above} children={<Waiting />} />;
  if (program.isError)
    return <Page title="Program" above={above} children={<ProblemNote problem={program.error} onRetry={() => void program.refetch()} />} />;
  const { name, status, landing_url: landing } = program.data;
  return (
    <Page
      title={name}
      above={above}
      intro={
        <>
          <ProgramChip status={status} /> Links lead to {landing}
        </>
      }
      actions={
        <>
          <ButtonLink variant="default" to="/stores/$store/programs/$program/settings" params={{ store, program: id }}>
            Settings
          </ButtonLink>
          <PublishOrPause store={store} program={program.data} />
        </>
      }
    >
      <Section
        title="Terms"
        intro="Terms are only ever added to: what was promised for an order stays as it was."
        flush
        actions={
          <ButtonLink variant="default" size="xs" to="/stores/$store/programs/$program/new-terms" params={{ store, program: id }}>
            New version
          </ButtonLink>
        }
      >
        <TermsVersions store={store} program={id} />
      </Section>
      <Members store={store} program={id} />
    </Page>
  );
}

function PublishOrPause({ store, program }: { readonly store: string; readonly program: ProgramShape }) {
  const client = useQueryClient();
  const change = async (word: 'publish' | 'pause') => {
    await api.post(`${programPath(store, program.id)}/${word}`);
    await refresh(client, `/stores/${store}`);
  };
  const publish = useAction(() => change('publish'));
  if (program.status === 'published') {
    return (
      <ConfirmButton label="Pause" size="sm" title="Pause this program?" confirm="Pause it" run={() => change('pause')}>
        <p>Its links stop giving clicks that earn. Orders of clicks made before still count, and you can publish it again at any time.</p>
      </ConfirmButton>
    );
  }
  return (
    <>
      <Button loading={publish.running} onClick={publish.run}>
        Publish
      </Button>
      {publish.problem && <ProblemNote problem={publish.problem} />}
    </>
  );
}
