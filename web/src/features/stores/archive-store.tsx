import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { ConfirmButton, Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/fields.tsx';
import { fieldError, Form } from '../../ui/form.tsx';
import { Section } from '../../ui/page.tsx';
import { refresh } from '../../ui/queries.ts';
import { usePermission } from '../access/use-permission.ts';
import styles from './store-settings.module.css';
import { storePath, type Store } from './stores-api.ts';

/** Archives a store and restores it. Nothing is deleted. */
export function ArchiveStore({ currentStore }: { readonly currentStore: Store }) {
  const client = useQueryClient();
  const mayManage = usePermission(currentStore.id)('store:manage');
  if (!mayManage) return null;
  const isArchived = currentStore.status === 'archived';
  return (
    <Section
      title={isArchived ? 'Take it out of the archive' : 'Archive the store'}
      intro={
        isArchived
          ? 'The store is put away. Its links lead to the shop without counting, and reports of its server are refused.'
          : 'For a shop that is closed, or that leaves. Nothing is deleted, and it can be taken out again.'
      }
    >
      {isArchived ? (
        <ConfirmButton
          label="Unarchive"
          subject="the store"
          title={`Take ${currentStore.name} out of the archive?`}
          confirm="Take it out"
          run={async () => {
            await api.post(`${storePath(currentStore.id)}/unarchive`);
            await refresh(client, '/stores');
          }}
        >
          <p>Its links count again, and reports of its server are taken again. Programs are as they were.</p>
        </ConfirmButton>
      ) : (
        <ArchiveButton currentStore={currentStore} />
      )}
    </Section>
  );
}

function ArchiveButton({ currentStore }: { readonly currentStore: Store }) {
  const client = useQueryClient();
  const [opened, setOpened] = useState(false);
  const archive = async (typed: string) => {
    if (typed !== currentStore.name) throw fieldError('typed_name', `must be exactly: ${currentStore.name}`);
    await api.post(`${storePath(currentStore.id)}/archive`);
  };
  const done = async () => {
    await refresh(client, '/stores');
    setOpened(false);
  };
  return (
    <>
      <ul className={styles.list}>
        <li>Links of creators still lead to the shop, but clicks on them do not count.</li>
        <li>Reports of its server are refused, refunds too: what is open is reported before.</li>
        <li>What is approved and past its hold is billed once more, however little it is, and goes to its creators.</li>
      </ul>
      <Button variant="default" size="xs" onClick={() => setOpened(true)}>
        Archive the store
      </Button>
      <Dialog title={`Archive ${currentStore.name}?`} opened={opened} onClose={() => setOpened(false)}>
        <Form
          send={(values) => archive(values.text('typed_name'))}
          done={done}
          submit="Archive it"
          beside={
            <Button variant="default" onClick={() => setOpened(false)}>
              Cancel
            </Button>
          }
        >
          <TextField name="typed_name" label="Type the store’s name" description={currentStore.name} autoComplete="off" data-autofocus />
        </Form>
      </Dialog>
    </>
  );
}
