import { Title } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { api } from '../../api/client.ts';
import { QueryView } from '../../ui/query-view.tsx';
import type { Program } from '../../api/api-schema.ts';
import { TextField, FieldRow, SelectField } from '../../ui/fields.tsx';
import { Form, readValues, fieldError, type Values } from '../../ui/form.tsx';
import { TextLink } from '../../ui/links.tsx';
import { Page, Section } from '../../ui/page.tsx';
import { refresh } from '../../ui/queries.ts';
import { RequirePermission } from '../access/permissions.tsx';
import { programPath, programQuery, programsPath, type ProgramSettings } from './programs-api.ts';
import { TermsChanges, settingsChanges } from './terms-changes.tsx';
import styles from './terms.module.css';

export function ProgramSettingsPage() {
  const { store, program: id } = useParams({ from: '/signed-in/stores/$store/programs/$program/settings' });
  const client = useQueryClient();
  const navigate = useNavigate();
  const program = useQuery(programQuery(store, id));
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
        <RequirePermission store={store} scope="programs:write">
          <QueryView query={program}>
            {(data) => (
              <Form
                send={(values) =>
                  api.patch(programPath(store, id), {
                    name: values.text('name'),
                    landing_url: values.text('landing_url'),
                    ...parseSettings(values),
                  })
                }
                done={done}
                submit="Save"
                warnsOnLeave
                beside={back('Cancel')}
              >
                <TextField name="name" label="Name" maxLength={200} defaultValue={data.name} />
                <TextField name="landing_url" label="Landing page" type="url" inputMode="url" defaultValue={data.landing_url} />
                <SettingsWithChanges former={data} />
              </Form>
            )}
          </QueryView>
        </RequirePermission>
      </Section>
    </Page>
  );
}

/** The settings fields with a preview of what they change. */
function SettingsWithChanges({ former }: { readonly former: Program }) {
  const container = useRef<HTMLDivElement>(null);
  const [next, setNext] = useState<ProgramSettings | null>(former);
  const updateDraft = () => setNext(readSettings(container.current?.closest('form') ?? null));
  return (
    // Fields that depend on the approval mode are in the DOM only after the next render.
    <div className={styles.group} ref={container} onInput={() => setTimeout(updateDraft)}>
      <ProgramSettingsFields former={former} />
      <Title order={3}>What changes</Title>
      <TermsChanges changes={next && settingsChanges(former, next)} version={null} />
    </div>
  );
}

function readSettings(form: HTMLFormElement | null): ProgramSettings | null {
  if (form === null) return null;
  try {
    return parseSettings(readValues(new FormData(form)));
  } catch {
    return null;
  }
}

/** The attribution window, refund hold and approval, with common defaults. */
export function ProgramSettingsFields({ former }: { readonly former: ProgramSettings }) {
  const [approval, setApproval] = useState<string>(former.approval);
  return (
    <>
      <FieldRow>
        <TextField
          name="attribution_days"
          label="A click counts for"
          description="Days, 1 to 365."
          inputMode="numeric"
          defaultValue={former.attribution_days}
        />
        <TextField
          name="hold_days"
          label="Hold for refunds"
          description="Days after the order, 0 to 90."
          inputMode="numeric"
          defaultValue={former.hold_days}
        />
      </FieldRow>
      <FieldRow>
        <SelectField
          name="approval"
          label="Approval"
          description="Who approves commissions."
          value={approval}
          onChange={(event) => setApproval(event.currentTarget.value)}
          data={[
            { value: 'manual', label: 'Somebody of us, by hand' },
            { value: 'auto', label: 'By itself, after some days' },
          ]}
        />
        {approval === 'auto' && (
          <TextField
            name="auto_approve_days"
            label="Approves itself after"
            description="Days, 3 to 90."
            inputMode="numeric"
            defaultValue={former.auto_approve_days ?? 14}
          />
        )}
      </FieldRow>
    </>
  );
}

export function parseSettings(values: Values): ProgramSettings {
  const approval = values.option<ProgramSettings['approval']>('approval');
  return {
    attribution_days: parseWholeNumber(values, 'attribution_days'),
    hold_days: parseWholeNumber(values, 'hold_days'),
    approval,
    auto_approve_days: approval === 'auto' ? parseWholeNumber(values, 'auto_approve_days') : null,
  };
}

function parseWholeNumber(values: Values, name: string): number {
  const typed = values.text(name);
  if (!/^\d{1,9}$/.test(typed)) throw fieldError(name, 'must be a whole number');
  return Number(typed);
}
