import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { TextField } from '../../ui/fields.tsx';
import { Form } from '../../ui/form.tsx';
import { Section } from '../../ui/page.tsx';
import { refresh } from '../../ui/queries.ts';
import type { Creator } from './creator-api.ts';

/** The name merchants see. Past invoices do not contain it, so it can change at any time. */
export function CreatorName({ creator: { id, name } }: { readonly creator: Creator }) {
  const client = useQueryClient();
  const done = async () => {
    await refresh(client, `/creators/${id}`);
    notifications.show({ message: 'Your creator name was changed.' });
  };
  return (
    <Section title="Creator name">
      <Form
        key={name}
        send={(values) => api.patch<Creator>(`/creators/${id}`, { name: values.text('name') })}
        done={done}
        submit="Save the name"
      >
        <TextField
          name="name"
          label="Name"
          description="As merchants see you: your own, or that of your channel."
          maxLength={200}
          defaultValue={name}
        />
      </Form>
    </Section>
  );
}
