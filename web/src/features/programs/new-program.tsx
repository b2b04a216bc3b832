import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { api } from '../../api/client.ts';
import type { Program } from '../../../../sdk/src/api-schema.ts';
import { TextField } from '../../ui/fields.tsx';
import { Form } from '../../ui/form.tsx';
import { TextLink } from '../../ui/links.tsx';
import { Page, Section } from '../../ui/page.tsx';
import { refresh } from '../../ui/queries.ts';
import { LoadingSkeleton } from '../../ui/table.tsx';
import { RequirePermission } from '../access/permissions.tsx';
import { programsPath, type ProgramSettings } from './programs-api.ts';
import { ProgramSettingsFields, parseSettings } from './program-settings.tsx';
import { storeQuery } from '../stores/stores-api.ts';
import { t } from './messages.ts';

const defaultSettings: ProgramSettings = { attribution_days: 30, hold_days: 30, approval: 'manual', auto_approve_days: null };

export function NewProgram() {
  const { store } = useParams({ from: '/signed-in/stores/$store' });
  const client = useQueryClient();
  const navigate = useNavigate();
  const currentStore = useQuery(storeQuery(store));
  const done = async ({ id }: Program) => {
    await refresh(client, programsPath(store));
    await navigate({ to: '/stores/$store/programs/$program', params: { store, program: id } });
  };
  const back = (
    <TextLink to="/stores/$store/programs" params={{ store }}>
      {t.new_program.programs}
    </TextLink>
  );
  return (
    <Page title={t.new_program.create_program} narrow above={back} intro={t.new_program.a_program_starts_as}>
      <Section title={t.new_program.program} bare>
        <RequirePermission store={store} scope="programs:write">
          {currentStore.isPending ? (
            <LoadingSkeleton />
          ) : (
            <Form
              send={(values, key) =>
                api.post(
                  programsPath(store),
                  { name: values.text('name'), landing_url: values.text('landing_url'), ...parseSettings(values) },
                  key,
                )
              }
              done={done}
              submit={t.new_program.create_draft}
              warnsOnLeave
            >
              <TextField name="name" label={t.new_program.name} placeholder={t.new_program.partners_2027} maxLength={200} autoFocus />
              <TextField
                name="landing_url"
                label={t.new_program.landing_page}
                description={t.new_program.links_without_a_page_of}
                type="url"
                inputMode="url"
                defaultValue={currentStore.data?.site_url}
              />
              <ProgramSettingsFields former={defaultSettings} />
            </Form>
          )}
        </RequirePermission>
      </Section>
    </Page>
  );
}
