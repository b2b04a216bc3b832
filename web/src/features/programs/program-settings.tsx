import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { api } from '../../api/client.ts';
import { QueryView } from '../../ui/query-view.tsx';
import type { Program } from '../../../../sdk/src/api-schema.ts';
import { TextField, FieldRow, SelectField } from '../../ui/fields.tsx';
import { Form, readValues, fieldError, type Values } from '../../ui/form.tsx';
import { TextLink } from '../../ui/links.tsx';
import { Page, Section } from '../../ui/page.tsx';
import { refresh } from '../../ui/queries.ts';
import { RequirePermission, usePermission } from '../access/permissions.tsx';
import { ApplicationQuestions } from './application-questions.tsx';
import { ProgramPublicPage } from './program-public-page.tsx';
import { programPath, programQuery, programsPath, type ProgramSettings } from './programs-api.ts';
import { TermsChanges, settingsChanges } from './terms-changes.tsx';
import styles from './terms.module.css';
import { t } from './messages.ts';

export function ProgramSettingsPage() {
  const { store, program: id } = useParams({ from: '/signed-in/stores/$store/programs/$program/settings' });
  const client = useQueryClient();
  const navigate = useNavigate();
  const program = useQuery(programQuery(store, id));
  const mayChange = usePermission(store)('programs:write');
  const back = (label: string) => (
    <TextLink to="/stores/$store/programs/$program" params={{ store, program: id }}>
      {label}
    </TextLink>
  );
  const parents = (label: string) => [
    <TextLink key="programs" to="/stores/$store/programs" params={{ store }}>
      {t.program_page.programs}
    </TextLink>,
    <span key="program">{back(label)}</span>,
  ];
  const done = async () => {
    await refresh(client, programsPath(store));
    await navigate({ to: '/stores/$store/programs/$program', params: { store, program: id } });
  };
  return (
    <Page title={t.program_settings.program_settings} narrow above={parents(program.data?.name ?? t.program_settings.program)}>
      <Section title={t.program_settings.settings} intro={t.program_settings.changing_the_attribution_window_th}>
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
                submit={t.program_settings.save}
                warnsOnLeave
                beside={back(t.program_settings.cancel)}
              >
                <TextField name="name" label={t.program_settings.name} maxLength={200} defaultValue={data.name} />
                <TextField
                  name="landing_url"
                  label={t.program_settings.landing_page}
                  type="url"
                  inputMode="url"
                  defaultValue={data.landing_url}
                />
                <SettingsWithChanges former={data} />
              </Form>
            )}
          </QueryView>
        </RequirePermission>
      </Section>
      {program.isSuccess && mayChange && <ApplicationQuestions store={store} program={program.data} />}
      {program.isSuccess && mayChange && <ProgramPublicPage store={store} program={program.data} />}
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
      <h3>{t.program_settings.changes}</h3>
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
          label={t.program_settings.attribution_window}
          description={t.program_settings.days_1_to_365}
          inputMode="numeric"
          defaultValue={former.attribution_days}
        />
        <TextField
          name="hold_days"
          label={t.program_settings.refund_hold}
          description={t.program_settings.days_after_the_order_0}
          inputMode="numeric"
          defaultValue={former.hold_days}
        />
      </FieldRow>
      <FieldRow>
        <SelectField
          name="approval"
          label={t.program_settings.approval}
          description={t.program_settings.how_commissions_are_approved}
          value={approval}
          onChange={(event) => setApproval(event.currentTarget.value)}
          data={[
            { value: 'manual', label: t.program_settings.manual_review },
            { value: 'auto', label: t.program_settings.auto_approval_after_some_days },
          ]}
        />
        {approval === 'auto' && (
          <TextField
            name="auto_approve_days"
            label={t.program_settings.auto_approve_after}
            description={t.program_settings.days_3_to_90}
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
  if (!/^\d{1,9}$/.test(typed)) throw fieldError(name, t.program_settings.must_be_a_whole_number);
  return Number(typed);
}
