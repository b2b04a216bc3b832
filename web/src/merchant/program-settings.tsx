import { Title } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { api } from '../api.ts';
import { TextField } from '../parts/fields.tsx';
import { Form, valuesOf } from '../parts/form.tsx';
import { TextLink } from '../parts/links.tsx';
import { Page, Section } from '../parts/page.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { refresh } from '../parts/reading.ts';
import { Waiting } from '../parts/table.tsx';
import { OnlyWith } from '../people/only-with.tsx';
import { programPath, programReading, programsPath, type Program as ProgramShape, type Settings } from './programs-api.ts';
import { SettingsFields, settingsIn } from './settings-fields.tsx';
import { TermsChanges } from './terms-changes.tsx';
import { settingsDifference } from './terms-difference.ts';
import styles from './terms.module.css';

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
        <OnlyWith store={store} scope="programs:write">
          {program.isPending && <Waiting />}
          {program.isError && <ProblemNote problem={program.error} onRetry={() => void program.refetch()} />}
          {program.isSuccess && (
            <Form
              send={(values) =>
                api.patch<ProgramShape>(programPath(store, id), {
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
              <SettingsDraft former={program.data} />
            </Form>
          )}
        </OnlyWith>
      </Section>
    </Page>
  );
}

/** The fields, and below them what they change against the program as it is. */
function SettingsDraft({ former }: { readonly former: ProgramShape }) {
  const place = useRef<HTMLDivElement>(null);
  const [next, setNext] = useState<Settings | null>(former);
  const readAgain = () => setNext(readSettings(place.current?.closest('form') ?? null));
  return (
    // What a chosen approval adds or takes away stands in the page only after it was drawn.
    <div className={styles.group} ref={place} onInput={() => setTimeout(readAgain)}>
      <SettingsFields former={former} />
      <Title order={3}>What changes</Title>
      <TermsChanges changes={next && settingsDifference(former, next)} version={null} />
    </div>
  );
}

function readSettings(form: HTMLFormElement | null): Settings | null {
  if (form === null) return null;
  try {
    const { approval, ...days } = settingsIn(valuesOf(new FormData(form)));
    return { ...days, approval: approval === 'auto' ? 'auto' : 'manual' };
  } catch {
    return null;
  }
}
