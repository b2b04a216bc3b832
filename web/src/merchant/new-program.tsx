import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { api } from '../api.ts';
import { TextField } from '../parts/fields.tsx';
import { Form } from '../parts/form.tsx';
import { TextLink } from '../parts/links.tsx';
import { Page, Section } from '../parts/page.tsx';
import { refresh } from '../parts/reading.ts';
import { Waiting } from '../parts/table.tsx';
import { OnlyWith } from '../people/only-with.tsx';
import { programsPath, type Program, type Settings } from './programs-api.ts';
import { SettingsFields, settingsIn } from './settings-fields.tsx';
import { storeReading } from './stores-api.ts';

const usual: Settings = { attribution_days: 30, hold_days: 30, approval: 'manual', auto_approve_days: null };

export function NewProgram() {
  const { store } = useParams({ from: '/inside/stores/$store' });
  const client = useQueryClient();
  const navigate = useNavigate();
  const shop = useQuery(storeReading(store));
  const done = async ({ id }: Program) => {
    await refresh(client, programsPath(store));
    await navigate({ to: '/stores/$store/programs/$program', params: { store, program: id } });
  };
  const back = (
    <TextLink to="/stores/$store/programs" params={{ store }}>
      Programs
    </TextLink>
  );
  return (
    <Page
      title="Create a program"
      narrow
      above={back}
      intro="It begins as a draft that nobody sees. What it pays is said next, as its terms."
    >
      <Section title="The program" bare>
        <OnlyWith store={store} scope="programs:write">
          {shop.isPending ? (
            <Waiting />
          ) : (
            <Form
              send={(values, key) =>
                api.post<Program>(
                  programsPath(store),
                  { name: values.text('name'), landing_url: values.text('landing_url'), ...settingsIn(values) },
                  key,
                )
              }
              done={done}
              submit="Create the draft"
            >
              <TextField name="name" label="Name" placeholder="Partners 2027" maxLength={200} autoFocus />
              <TextField
                name="landing_url"
                label="Landing page"
                description="Where links lead when they name no page of their own. It belongs to the store’s site."
                type="url"
                inputMode="url"
                defaultValue={shop.data?.site_url}
              />
              <SettingsFields former={usual} />
            </Form>
          )}
        </OnlyWith>
      </Section>
    </Page>
  );
}
