import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { api } from '../api.ts';
import { ConfirmButton, useAction } from '../parts/dialog.tsx';
import { newKey } from '../parts/new-key.ts';
import { Empty, Section } from '../parts/page.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { refresh } from '../parts/reading.ts';
import { ShownOnce, useShownOnce } from '../parts/shown-once.tsx';
import { PagedTable, type Column } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { useMay } from '../people/may.ts';
import styles from './integration.module.css';
import { postbackKeyList, postbackKeysPath, type PostbackKey } from './postback-keys-api.ts';

type PostbackKeysProps = {
  readonly store: string;
  /** Whoever makes a key may need it once more on the same page. */
  readonly onMade: (key: string) => void;
};

/** The keys with which the shop's server reports orders: each shown once, two at a time. */
export function PostbackKeys({ store, onMade }: PostbackKeysProps) {
  const client = useQueryClient();
  const mayChange = useMay(store)('integration:write');
  const shown = useShownOnce();
  const make = useAction(async () => {
    const { key } = await api.post<PostbackKey & { key: string }>(postbackKeysPath(store), {}, newKey());
    shown.show(key);
    onMade(key);
    await refresh(client, postbackKeysPath(store));
  });
  const makeButton = (
    <Button size="xs" variant="default" loading={make.running} onClick={make.run}>
      Make a key
    </Button>
  );
  return (
    <Section
      title="Postback keys"
      intro="Your server shows one with each postback. Two work at a time, so that you can change without a gap."
      flush
      actions={mayChange && makeButton}
    >
      {make.problem && (
        <div className={styles.problem}>
          <ProblemNote problem={make.problem} />
        </div>
      )}
      <PagedTable
        caption="Postback keys"
        list={postbackKeyList(store)}
        keyOf={({ id }) => id}
        columns={columnsOf(store, mayChange)}
        empty={
          <Empty title="No key yet">
            Make one and put it where your server keeps its secrets. Without a key every postback is refused.
          </Empty>
        }
      />
      <ShownOnce what="postback key" {...shown}>
        It stands in the header <code>Authorization: Bearer …</code> of each postback. It belongs on your server, never into a web page.
      </ShownOnce>
    </Section>
  );
}

const columnsOf = (store: string, mayChange: boolean): ReadonlyArray<Column<PostbackKey>> => [
  { title: 'Key', cell: ({ last4 }) => <span className="mono">pbk_…{last4}</span> },
  { title: 'Made', cell: ({ created_at: at }) => <Time at={at} /> },
  { title: 'Last used', cell: ({ last_used_at: at }) => (at === null ? 'never' : <Time at={at} />) },
  ...(mayChange
    ? [{ title: 'Change', kind: 'actions' as const, cell: (key: PostbackKey) => <Delete store={store} postbackKey={key} /> }]
    : []),
];

function Delete({ store, postbackKey: { id, last4 } }: { readonly store: string; readonly postbackKey: PostbackKey }) {
  const client = useQueryClient();
  const run = async () => {
    await api.delete(`${postbackKeysPath(store)}/${id}`);
    await refresh(client, postbackKeysPath(store));
  };
  return (
    <ConfirmButton
      label="Revoke"
      of={`the key ending in ${last4}`}
      look="subtle"
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
