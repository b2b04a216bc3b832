import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { api } from '../../api/client.ts';
import type { Store } from '../../api/api-schema.ts';
import { TextField } from '../../ui/fields.tsx';
import { Form } from '../../ui/form.tsx';
import { TextLink } from '../../ui/links.tsx';
import { Page, Section } from '../../ui/page.tsx';
import { refresh } from '../../ui/queries.ts';
import { storeNameLengthMax } from './stores-api.ts';

export function NewStore() {
  const client = useQueryClient();
  const navigate = useNavigate();
  const done = async ({ id }: Store) => {
    await refresh(client, '/stores', '/session');
    await navigate({ to: '/stores/$store', params: { store: id } });
  };
  return (
    <Page
      title="Create a store"
      narrow
      above={<TextLink to="/stores">My stores</TextLink>}
      intro="Two things are enough. Keys, programs and people come afterwards."
    >
      <Section title="The shop" bare>
        <Form
          send={(values, key) => api.post('/stores', { name: values.text('name'), site_url: values.text('site_url') }, key)}
          done={done}
          submit="Create the store"
          beside={<TextLink to="/stores">Cancel</TextLink>}
        >
          <TextField
            name="name"
            label="Name"
            description="As creators will see it."
            placeholder="Northwind Coffee"
            autoComplete="organization"
            maxLength={storeNameLengthMax}
            autoFocus
          />
          <TextField
            name="site_url"
            label="Address of the site"
            description="Where shoppers arrive. Links of creators lead only to this site. You can change it later in the settings."
            placeholder="https://northwind.example"
            type="url"
            inputMode="url"
          />
        </Form>
      </Section>
    </Page>
  );
}
