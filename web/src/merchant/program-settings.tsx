import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { api } from '../api.ts';
import { TextField } from '../parts/fields.tsx';
import { Form } from '../parts/form.tsx';
import { TextLink } from '../parts/links.tsx';
import { Page, Section } from '../parts/page.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { refresh } from '../parts/reading.ts';
import { Waiting } from '../parts/table.tsx';
import { programPath, programReading, programsPath, type Program } from './programs-api.ts';
import { SettingsFields, settingsIn } from './settings-fields.tsx';

export function ProgramSettings() {
  const { store, program: id } = useParams({ from: '/inside/stores/$store/programs/$program/settings' });
  const client = useQueryClient();
  const navigate = useNavigate();
  const program = useQuery(programReading(store, id));
  const back = (label: string) => (
    <TextLink to="/stores/$store/programs/$program" params={{ store, program: id }}>
      {label}
    </TextLink>
  );
  const done = async () => {
    await refresh(client, programsPath(store));
    await navigate({ to: '/stores/$store/programs/$program', params: { store, program: id } });
  };
  return (
    <Page title="Program settings" narrow above={back(program.data?.name ?? 'Program')}>
      <Section
        title="Settings"
        intro="Another window, hold or approval makes a new version of the terms, from now on. Earlier orders keep theirs."
      >
        {program.isPending && <Waiting />}
        {program.isError && <ProblemNote problem={program.error} onRetry={() => void program.refetch()} />}
        {program.isSuccess && (
          <Form
            send={(values) =>
              api.patch<Program>(programPath(store, id), {
                name: values.text('name'),
                landing_url: values.text('landing_url'),
                ...settingsIn(values),
              })
            }
            done={done}
            submit="Save"
            beside={back('Cancel')}
          >
            <TextField name="name" label="Name" maxLength={200} defaultValue={program.data.name} />
            <TextField name="landing_url" label="Landing page" type="url" inputMode="url" defaultValue={program.data.landing_url} />
            <SettingsFields former={program.data} />
          </Form>
        )}
      </Section>
    </Page>
  );
}
