import { Button } from '../../ui/button.tsx';
import { useQueryClient, useMutation } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import type { PostbackKey } from '../../../../sdk/src/api-schema.ts';
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
import { t } from './messages.ts';
import { rich } from '../../messages/rich-text.tsx';

type PostbackKeysProps = {
  readonly store: string;
  /** Passes the new key to the page, which fills it into the snippets. */
  readonly onCreated: (key: string) => void;
  /** The person confirmed that the new key is stored. */
  readonly onStored: () => void;
};

/** The keys with which the store's server authenticates its postbacks: each is shown once, and two can be valid at the same time. */
export function PostbackKeysSection({ store, onCreated, onStored }: PostbackKeysProps) {
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
  const stored = () => {
    shown.forget();
    onStored();
  };
  const createButton = (
    <Button size="xs" variant="default" loading={create.isPending} onClick={() => create.mutate()}>
      {t.postback_keys.create_key}
    </Button>
  );
  return (
    <Section
      title={t.postback_keys.postback_keys}
      intro={t.postback_keys.your_server_authenticates_each_pos}
      flush
      actions={mayChange && createButton}
    >
      {create.error && (
        <div className={styles.problem}>
          <ErrorAlert error={create.error} />
        </div>
      )}
      <ShortList
        caption={t.postback_keys.postback_keys}
        path={postbackKeysPath(store)}
        keyOf={({ id }) => id}
        columns={columnsOf(store, mayChange)}
        empty={<EmptyState title={t.postback_keys.no_keys_yet}>{t.postback_keys.create_a_key_and_store}</EmptyState>}
      />
      <SecretDialog what={t.postback_keys.postback_key} secret={shown.secret} forget={stored}>
        {rich(t.postback_keys.send_it_in_the_header, { code: <code /> })}
      </SecretDialog>
    </Section>
  );
}

const columnsOf = (store: string, mayChange: boolean): ReadonlyArray<Column<PostbackKey>> => [
  { title: t.postback_keys.key, cell: ({ last4 }) => <span className="mono">{t.postback_keys.pbk({ last4 })}</span> },
  { title: t.postback_keys.created, cell: ({ created_at: at }) => <Time at={at} /> },
  { title: t.postback_keys.last_used, cell: ({ last_used_at: at }) => (at === null ? 'never' : <Time at={at} />) },
  ...(mayChange
    ? [
        {
          title: t.postback_keys.change,
          kind: 'actions' as const,
          cell: (key: PostbackKey) => <RevokeKeyButton store={store} postbackKey={key} />,
        },
      ]
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
      label={t.postback_keys.revoke}
      subject={t.postback_keys.the_key_ending_in({ last4 })}
      variant="subtle"
      danger
      title={t.postback_keys.revoke_this_key}
      confirm={t.postback_keys.revoke_key}
      run={run}
    >
      <p>{rich(t.postback_keys.postbacks_with_the_key_ending, { b: <strong>{last4}</strong> })}</p>
    </ConfirmButton>
  );
}
