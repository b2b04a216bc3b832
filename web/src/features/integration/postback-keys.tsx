import { Button } from '@mantine/core';
import { useQueryClient, useMutation } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import type { PostbackKey } from '../../api/api-schema.ts';
import { apiPath } from '../../api/operations.ts';
import { ConfirmButton } from '../../ui/dialog.tsx';
import { newIdempotencyKey } from '../../ui/idempotency-key.ts';
import { ShortList } from '../../ui/list.tsx';
import { EmptyState, Section } from '../../ui/page.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { refresh } from '../../ui/queries.ts';
import { SecretDialog, useSecretDialog } from '../../ui/secret-dialog.tsx';
import type { Column } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { usePermission } from '../access/permissions.tsx';
import styles from './integration.module.css';
import { postbackKeysPath } from './postback-keys-api.ts';

type PostbackKeysProps = {
  readonly store: string;
  /** Passes the new key to the page, which fills it into the snippets. */
  readonly onCreated: (key: string) => void;
};

/** The keys with which the store's server authenticates its postbacks: each is shown once, and two can be valid at the same time. */
export function PostbackKeysSection({ store, onCreated }: PostbackKeysProps) {
  const client = useQueryClient();
  const mayChange = usePermission(store)('integration:write');
  const shown = useSecretDialog();
  const create = useMutation({
    mutationFn: async () => {
      const { key } = await api.post(postbackKeysPath(store), {}, newIdempotencyKey());
      shown.show(key);
      onCreated(key);
      await refresh(client, postbackKeysPath(store));
    },
  });
  const createButton = (
    <Button size="xs" variant="default" loading={create.isPending} onClick={() => create.mutate()}>
      Create key
    </Button>
  );
  return (
    <Section
      title="Postback keys"
      intro="Your server shows one with each postback. Two work at a time, so that you can change without a gap."
      flush
      actions={mayChange && createButton}
    >
      {create.error && (
        <div className={styles.problem}>
          <ErrorAlert error={create.error} />
        </div>
      )}
      <ShortList
        caption="Postback keys"
        path={postbackKeysPath(store)}
        keyOf={({ id }) => id}
        columns={columnsOf(store, mayChange)}
        empty={
          <EmptyState title="No key yet">
            Make one and put it where your server keeps its secrets. Without a key every postback is refused.
          </EmptyState>
        }
      />
      <SecretDialog what="postback key" {...shown}>
        It stands in the header <code>Authorization: Bearer …</code> of each postback. It belongs on your server, never into a web page.
      </SecretDialog>
    </Section>
  );
}

const columnsOf = (store: string, mayChange: boolean): ReadonlyArray<Column<PostbackKey>> => [
  { title: 'Key', cell: ({ last4 }) => <span className="mono">pbk_…{last4}</span> },
  { title: 'Created', cell: ({ created_at: at }) => <Time at={at} /> },
  { title: 'Last used', cell: ({ last_used_at: at }) => (at === null ? 'never' : <Time at={at} />) },
  ...(mayChange
    ? [{ title: 'Change', kind: 'actions' as const, cell: (key: PostbackKey) => <RevokeKeyButton store={store} postbackKey={key} /> }]
    : []),
];

function RevokeKeyButton({ store, postbackKey: { id, last4 } }: { readonly store: string; readonly postbackKey: PostbackKey }) {
  const client = useQueryClient();
  const run = async () => {
    await api.delete(apiPath('/stores/{store}/postback-keys/{key}', { store, key: id }));
    await refresh(client, postbackKeysPath(store));
  };
  return (
    <ConfirmButton
      label="Revoke"
      subject={`the key ending in ${last4}`}
      variant="subtle"
      danger
      title="Revoke this key?"
      confirm="Revoke it"
      run={run}
    >
      <p>
        Postbacks with the key ending in <strong>{last4}</strong> are refused from this moment on. It cannot be undone; make and install a
        new key first.
      </p>
    </ConfirmButton>
  );
}
