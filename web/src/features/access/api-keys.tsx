import { Button } from '../../ui/button.tsx';
import { useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import type { ApiKey } from '../../../../sdk/src/api-schema.ts';
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
import { t } from './messages.ts';
import { rich } from '../../messages/rich-text.tsx';

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
      {t.api_keys.create_key}
    </Button>
  );
  return (
    <Section title={t.api_keys.keys} flush actions={mayChange && createButton}>
      <ShortList
        caption={t.api_keys.api_keys}
        path={path}
        keyOf={({ id }) => id}
        columns={columnsOf({ path, pathOf, mayChange })}
        empty={<EmptyState title={t.api_keys.no_api_keys_yet}>{t.api_keys.create_one_for_each_program}</EmptyState>}
      />
      <Dialog title={t.api_keys.create_api_key} opened={opened} onClose={() => setOpened(false)}>
        <CreateKeyForm path={path} availableScopes={availableScopes} done={handleCreated} />
      </Dialog>
      <SecretDialog what={t.api_keys.api_key} {...shown}>
        {rich(t.api_keys.programs_send_it_as_authorization, { code: <code /> })}
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
        if (availableScopes !== null && chosen.length === 0) throw fieldError('scopes', t.api_keys.select_at_least_one);
        return api.post<KeysPath>(path, { name: values.text('name'), scopes: chosen }, key);
      }}
      done={done}
      submit={t.api_keys.create_api_key_2}
    >
      <TextField
        name="name"
        label={t.api_keys.name}
        description={t.api_keys.the_program_that_uses_the}
        placeholder={t.api_keys.nightly_export}
        maxLength={100}
        data-autofocus
      />
      {availableScopes === null ? (
        <CheckboxGroup label={t.api_keys.additional_scopes_in_live_mode} name="scopes">
          {runScopes.map(([scope, words]) => (
            <CheckboxOption key={scope} name="scopes" value={scope} label={words} description={scope} />
          ))}
        </CheckboxGroup>
      ) : (
        <CheckboxGroup label={t.api_keys.scopes} name="scopes">
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
    { title: t.api_keys.name, cell: ({ name }) => <strong>{name}</strong> },
    { title: t.api_keys.key, cell: ({ last4 }) => <span className={`mono ${styles.noWrap}`}>{t.api_keys.trb({ last4 })}</span> },
    { title: t.api_keys.scopes_2, cell: (key) => <KeyScopes apiKey={key} /> },
    { title: t.api_keys.created, cell: ({ created_at: at }) => <Time at={at} dateOnly /> },
    { title: t.api_keys.last_used, cell: ({ last_used_at: at }) => (at === null ? 'never' : <Time at={at} />) },
    ...(mayChange
      ? [
          {
            title: t.api_keys.change,
            kind: 'actions' as const,
            cell: (key: ApiKey) => <RevokeKeyButton path={path} pathOf={pathOf} apiKey={key} />,
          },
        ]
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
      {lost.length > 0 && <div className={styles.muted}>{t.api_keys.not_in_effect_the_person({ lost: lost.join(', ') })}</div>}
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
      label={t.api_keys.revoke}
      subject={t.api_keys.key_2({ name })}
      variant="subtle"
      danger
      title={t.api_keys.revoke_2({ name })}
      confirm={t.api_keys.revoke_key}
      run={run}
    >
      <p>{t.api_keys.it_stops_working_immediately_you}</p>
    </ConfirmButton>
  );
}

export function StoreApiKeys() {
  const { store } = useParams({ from: '/signed-in/stores/$store' });
  const may = usePermission(store);
  return (
    <Page title={t.api_keys.api_keys} intro={t.api_keys.for_programs_that_read_or}>
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
    <Page title={t.api_keys.api_keys} intro={t.api_keys.for_programs_that_read_your}>
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
    <Page title={t.api_keys.api_keys} intro={t.api_keys.a_key_created_here_can}>
      <ApiKeysSection path="/api-keys" pathOf={(key) => apiPath('/api-keys/{key}', { key })} availableScopes={null} mayChange />
    </Page>
  );
}
