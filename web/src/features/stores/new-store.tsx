import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { api } from '../../api/client.ts';
import type { Store } from '../../../../sdk/src/api-schema.ts';
import { TextField } from '../../ui/fields.tsx';
import { Form } from '../../ui/form.tsx';
import { TextLink } from '../../ui/links.tsx';
import { Page, Section } from '../../ui/page.tsx';
import { refresh } from '../../ui/queries.ts';
import { storeNameLengthMax } from './stores-api.ts';
import { t } from './messages.ts';

export const NewStore = () => (
  <Page
    title={t.new_store.create_store}
    narrow
    above={<TextLink to="/stores">{t.new_store.my_stores}</TextLink>}
    intro={t.new_store.enter_a_name_and}
  >
    <Section title={t.new_store.store} bare>
      <NewStoreForm beside={<TextLink to="/stores">{t.new_store.cancel}</TextLink>} />
    </Section>
  </Page>
);

/** Opens the new store. */
export function NewStoreForm({ beside }: { readonly beside?: ReactNode }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const done = async ({ id }: Store) => {
    await refresh(client, '/stores', '/session');
    await navigate({ to: '/stores/$store', params: { store: id } });
  };
  return (
    <Form
      send={(values, key) => api.post('/stores', { name: values.text('name'), site_url: values.text('site_url') }, key)}
      done={done}
      submit={t.new_store.create_store_2}
      beside={beside}
    >
      <TextField
        name="name"
        label={t.new_store.name}
        description={t.new_store.shown_to_creators}
        placeholder={t.new_store.northwind_coffee}
        autoComplete="organization"
        maxLength={storeNameLengthMax}
        autoFocus
      />
      <TextField
        name="site_url"
        label={t.new_store.site_url}
        description={t.new_store.creators_links_can_only_lead}
        placeholder="https://northwind.example"
        type="url"
        inputMode="url"
      />
    </Form>
  );
}
