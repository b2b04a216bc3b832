import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { api } from '../api.ts';
import { TextField } from '../parts/fields.tsx';
import { Form } from '../parts/form.tsx';
import { Section } from '../parts/page.tsx';
import { refresh } from '../parts/reading.ts';
import type { Creator } from './creator-api.ts';

/** The name that merchants see. Past invoices keep nothing of it, so it can change at any time. */
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
