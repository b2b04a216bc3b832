import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import type { ApiKey } from '../../api/api-schema.ts';
import { apiPath, type PathTo } from '../../api/operations.ts';
import { ConfirmButton, Dialog } from '../../ui/dialog.tsx';
import { CheckboxOption, CheckboxGroup, TextField } from '../../ui/fields.tsx';
import { fieldError, Form } from '../../ui/form.tsx';
import { ShortList } from '../../ui/list.tsx';
import { EmptyState, Section, Page } from '../../ui/page.tsx';
import { refresh } from '../../ui/queries.ts';
import { SecretDialog, useSecretDialog } from '../../ui/secret-dialog.tsx';
import type { Column } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { useCreatorId } from '../portal/creator-api.ts';
import styles from './api-keys.module.css';
import { runScopes, usePermission, storeScopes, creatorScopes } from './permissions.tsx';

type KeysPath = '/api-keys' | '/stores/{store}/api-keys' | '/creators/{creator}/api-keys';

type ApiKeysProps = {
  /** The path of the list: a store's, a creator's, or the operators'. */
  readonly path: PathTo<KeysPath>;
  readonly pathOf: (key: string) => PathTo<`${KeysPath}/{key}`>;
  /** The scopes to choose from and their descriptions; the first one is checked. Null for an operator key, which may get run scopes. */
  readonly availableScopes: ReadonlyArray<readonly [scope: string, words: string]> | null;
  readonly mayChange: boolean;
};

/** API keys for programs. */
function ApiKeysSection({ path, pathOf, availableScopes, mayChange }: ApiKeysProps) {
  const [opened, setOpened] = useState(false);
  const shown = useSecretDialog();
  const client = useQueryClient();
  const handleCreated = async ({ key }: { readonly key: string }) => {
    setOpened(false);
    shown.show(key);
    await refresh(client, path);
  };
  const createButton = (
    <Button size="xs" variant="default" onClick={() => setOpened(true)}>
      Create key
    </Button>
  );
  return (
    <Section title="Keys" flush actions={mayChange && createButton}>
      <ShortList
        caption="API keys"
        path={path}
        keyOf={({ id }) => id}
        columns={columnsOf({ path, pathOf, mayChange })}
        empty={
          <EmptyState title="No API keys yet">
            Create one for each program that uses the API, so that you can revoke each separately.
          </EmptyState>
        }
      />
      <Dialog title="Create an API key" opened={opened} onClose={() => setOpened(false)}>
        <CreateKeyForm path={path} availableScopes={availableScopes} done={handleCreated} />
      </Dialog>
      <SecretDialog what="API key" {...shown}>
        Programs send it as <code>Authorization: Bearer trb_…</code>
      </SecretDialog>
    </Section>
  );
}

type CreateKeyFormProps = Pick<ApiKeysProps, 'path' | 'availableScopes'> & { readonly done: (made: { readonly key: string }) => unknown };

function CreateKeyForm({ path, availableScopes, done }: CreateKeyFormProps) {
  return (
    <Form
      send={async (values, key) => {
        // Each owner has scopes of its own; the form offers only those.
        const chosen = values.options<never>('scopes');
        if (availableScopes !== null && chosen.length === 0) throw fieldError('scopes', 'Choose at least one.');
        return api.post<KeysPath>(path, { name: values.text('name'), scopes: chosen }, key);
      }}
      done={done}
      submit="Create API key"
    >
      <TextField
        name="name"
        label="Name"
        description="The program that uses it."
        placeholder="Nightly export"
        maxLength={100}
        data-autofocus
      />
      {availableScopes === null ? (
        <CheckboxGroup label="In live mode it may also" name="scopes">
          {runScopes.map(([scope, words]) => (
            <CheckboxOption key={scope} name="scopes" value={scope} label={words} description={scope} />
          ))}
        </CheckboxGroup>
      ) : (
        <CheckboxGroup label="It may" name="scopes">
          {availableScopes.map(([scope, words], index) => (
            <CheckboxOption key={scope} name="scopes" value={scope} label={words} description={scope} defaultChecked={index === 0} />
          ))}
        </CheckboxGroup>
      )}
    </Form>
  );
}

type ColumnsOf = Pick<ApiKeysProps, 'path' | 'pathOf' | 'mayChange'>;

function columnsOf({ path, pathOf, mayChange }: ColumnsOf): ReadonlyArray<Column<ApiKey>> {
  return [
    { title: 'Name', cell: ({ name }) => <strong>{name}</strong> },
    { title: 'Key', cell: ({ last4 }) => <span className={`mono ${styles.noWrap}`}>trb_…{last4}</span> },
    { title: 'Scopes', cell: (key) => <KeyScopes apiKey={key} /> },
    { title: 'Created', cell: ({ created_at: at }) => <Time at={at} dateOnly /> },
    { title: 'Last used', cell: ({ last_used_at: at }) => (at === null ? 'never' : <Time at={at} />) },
    ...(mayChange
      ? [{ title: 'Change', kind: 'actions' as const, cell: (key: ApiKey) => <RevokeKeyButton path={path} pathOf={pathOf} apiKey={key} /> }]
      : []),
  ];
}

/**
 * The scopes in effect, and separately those that are lost: a key never has more than the current role of the person who created it.
 */
function KeyScopes({ apiKey: { scopes, effective_scopes: inEffect } }: { readonly apiKey: ApiKey }) {
  const lost = scopes.filter((scope) => !inEffect.includes(scope));
  return (
    <>
      {inEffect.length === 0 ? 'none' : <span className="mono">{inEffect.join(', ')}</span>}
      {lost.length > 0 && (
        <div className={styles.muted}>
          Not in effect: {lost.join(', ')}. The person who created the key no longer has these permissions.
        </div>
      )}
    </>
  );
}

type RevokeKeyProps = Pick<ApiKeysProps, 'path' | 'pathOf'> & { readonly apiKey: ApiKey };

function RevokeKeyButton({ path, pathOf, apiKey: { id, name } }: RevokeKeyProps) {
  const client = useQueryClient();
  const run = async () => {
    await api.delete(pathOf(id));
    await refresh(client, path);
  };
  return (
    <ConfirmButton
      label="Revoke"
      subject={`the key ${name}`}
      variant="subtle"
      danger
      title={`Revoke “${name}”?`}
      confirm="Revoke key"
      run={run}
    >
      <p>It stops working immediately. This cannot be undone.</p>
    </ConfirmButton>
  );
}

export function StoreApiKeys() {
  const { store } = useParams({ from: '/signed-in/stores/$store' });
  const may = usePermission(store);
  return (
    <Page
      title="API keys"
      intro="For programs that read or change what this dashboard shows. For reporting orders there are postback keys, under Integration."
    >
      <ApiKeysSection
        path={apiPath('/stores/{store}/api-keys', { store })}
        pathOf={(key) => apiPath('/stores/{store}/api-keys/{key}', { store, key })}
        availableScopes={storeScopes.filter(([scope]) => may(scope))}
        mayChange={may('team:write')}
      />
    </Page>
  );
}

/** The creator's API keys; the operations are the same as for a store's keys. */
export function CreatorApiKeys() {
  const creator = useCreatorId();
  return (
    <Page title="API keys" intro="For programs that read your sales or make links for you. Creating a key asks for your password.">
      <ApiKeysSection
        path={apiPath('/creators/{creator}/api-keys', { creator })}
        pathOf={(key) => apiPath('/creators/{creator}/api-keys/{key}', { creator, key })}
        availableScopes={creatorScopes}
        mayChange
      />
    </Page>
  );
}

export function OperatorApiKeys() {
  return (
    <Page
      title="API keys"
      intro="A key made here reads and operates every store. In live mode it starts runs only with the scope, and it never changes settings about money, confirms payouts, or reads mails."
    >
      <ApiKeysSection path="/api-keys" pathOf={(key) => apiPath('/api-keys/{key}', { key })} availableScopes={null} mayChange />
    </Page>
  );
}
