import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../api.ts';
import { ConfirmButton, Dialog } from '../parts/dialog.tsx';
import { Choice, Choices, TextField } from '../parts/fields.tsx';
import { faultOf, Form } from '../parts/form.tsx';
import { Empty, Section } from '../parts/page.tsx';
import { listing, refresh } from '../parts/reading.ts';
import { ShownOnce, useShownOnce } from '../parts/shown-once.tsx';
import { PagedTable, type Column } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { runScopes } from './scopes.ts';

type ApiKey = {
  readonly id: string;
  readonly name: string;
  readonly last4: string;
  readonly scopes: readonly string[];
  readonly created_at: string;
  readonly last_used_at: string | null;
};

type ApiKeysProps = {
  /** The list's path: a store's, a creator's, or the operators'. */
  readonly path: string;
  /** Which scopes can be chosen, with what each allows; the first is ticked. Null for a key of the operators, which may be given runs. */
  readonly choosable: ReadonlyArray<readonly [scope: string, words: string]> | null;
  readonly mayChange: boolean;
};

/** Keys for programs that use the API. */
export function ApiKeys({ path, choosable, mayChange }: ApiKeysProps) {
  const [opened, setOpened] = useState(false);
  const shown = useShownOnce();
  const client = useQueryClient();
  const made = async ({ key }: { readonly key: string }) => {
    setOpened(false);
    shown.show(key);
    await refresh(client, path);
  };
  const makeButton = (
    <Button size="xs" variant="default" onClick={() => setOpened(true)}>
      Make a key
    </Button>
  );
  return (
    <Section title="Keys" flush actions={mayChange && makeButton}>
      <PagedTable
        caption="API keys"
        list={listing<ApiKey>(path)}
        keyOf={({ id }) => id}
        columns={columnsOf({ path, mayChange })}
        empty={<Empty title="No API key yet">Make one for each program that uses the API, so that each can be revoked by itself.</Empty>}
      />
      <Dialog title="Make an API key" opened={opened} onClose={() => setOpened(false)}>
        <MakeForm path={path} choosable={choosable} done={made} />
      </Dialog>
      <ShownOnce what="API key" {...shown}>
        Programs send it as <code>Authorization: Bearer trb_…</code>
      </ShownOnce>
    </Section>
  );
}

type MakeFormProps = Pick<ApiKeysProps, 'path' | 'choosable'> & { readonly done: (made: { readonly key: string }) => unknown };

function MakeForm({ path, choosable, done }: MakeFormProps) {
  return (
    <Form
      send={async (values, key) => {
        const chosen = values.all('scopes');
        if (choosable !== null && chosen.length === 0) throw faultOf('scopes', 'Choose at least one.');
        return api.post<{ key: string }>(path, { name: values.text('name'), scopes: chosen }, key);
      }}
      done={done}
      submit="Make the key"
    >
      <TextField
        name="name"
        label="Name"
        description="What uses it, so that you know it again."
        placeholder="Nightly export"
        maxLength={100}
        data-autofocus
      />
      {choosable === null ? (
        <Choices label="In live mode it may also" name="scopes">
          {runScopes.map(([scope, words]) => (
            <Choice key={scope} name="scopes" value={scope} label={words} description={scope} />
          ))}
        </Choices>
      ) : (
        <Choices label="It may" name="scopes">
          {choosable.map(([scope, words], place) => (
            <Choice key={scope} name="scopes" value={scope} label={words} description={scope} defaultChecked={place === 0} />
          ))}
        </Choices>
      )}
    </Form>
  );
}

type ColumnsOf = { readonly path: string; readonly mayChange: boolean };

function columnsOf({ path, mayChange }: ColumnsOf): ReadonlyArray<Column<ApiKey>> {
  return [
    { title: 'Name', cell: ({ name }) => <strong>{name}</strong> },
    { title: 'Key', cell: ({ last4 }) => <span className="mono">trb_…{last4}</span> },
    { title: 'Scopes', cell: ({ scopes: held }) => (held.length === 0 ? 'none' : <span className="mono">{held.join(', ')}</span>) },
    { title: 'Made', cell: ({ created_at: at }) => <Time at={at} dateOnly /> },
    { title: 'Last used', cell: ({ last_used_at: at }) => (at === null ? 'never' : <Time at={at} />) },
    ...(mayChange ? [{ title: 'Change', kind: 'actions' as const, cell: (key: ApiKey) => <Revoke path={path} apiKey={key} /> }] : []),
  ];
}

function Revoke({ path, apiKey: { id, name } }: { readonly path: string; readonly apiKey: ApiKey }) {
  const client = useQueryClient();
  const run = async () => {
    await api.delete(`${path}/${id}`);
    await refresh(client, path);
  };
  return (
    <ConfirmButton label="Revoke" of={`the key ${name}`} look="subtle" danger title={`Revoke “${name}”?`} confirm="Revoke it" run={run}>
      <p>It stops working at once, and this cannot be undone.</p>
    </ConfirmButton>
  );
}
