import { Button } from '../../ui/button.tsx';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import type { DiscountCode } from '../../../../sdk/src/api-schema.ts';
import { apiPath } from '../../api/operations.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { CheckboxGroup, CheckboxOption, FieldRow, SelectField, TextField } from '../../ui/fields.tsx';
import { fieldError, Form, type Values } from '../../ui/form.tsx';
import { EmptyState } from '../../ui/page.tsx';
import { apiPageQuery, refresh } from '../../ui/queries.ts';
import { localInputToUtc } from '../../ui/time.tsx';
import { codePath, pathsOfCodes } from './codes-api.ts';
import { t } from './messages.ts';

const codeLengthMax = 64;
/** The first page of memberships; a store with more creators creates a code on the creator's page. */
const ownersMax = '200';

/** A creator in a program. */
export type CodeOwner = {
  readonly program_id: string;
  readonly program_name: string;
  readonly creator_id: string;
  readonly creator_name: string;
};

type CreateCodeProps = { readonly store: string; readonly owners?: readonly CodeOwner[] };

/** Creates a code for one of the given owners, or for any approved creator of the store. */
export function CreateCodeButton({ store, owners }: CreateCodeProps) {
  const [opened, setOpened] = useState(false);
  return (
    <>
      <Button variant={owners === undefined ? 'filled' : 'default'} size="xs" onClick={() => setOpened(true)}>
        {t.codes_page.create_code}
      </Button>
      <Dialog title={t.codes_page.create_code} opened={opened} onClose={() => setOpened(false)}>
        {owners === undefined ? (
          <CreateForApprovedCreator store={store} close={() => setOpened(false)} />
        ) : (
          <CreateCodeForm store={store} owners={owners} close={() => setOpened(false)} />
        )}
      </Dialog>
    </>
  );
}

type CreateFormProps = { readonly store: string; readonly close: () => void };

function CreateForApprovedCreator(props: CreateFormProps) {
  const approved = useQuery(
    apiPageQuery(apiPath('/stores/{store}/creators', { store: props.store }, { status: 'approved', limit: ownersMax })),
  );
  if (approved.data?.data.length === 0)
    return <EmptyState title={t.code_form.no_approved_creator}>{t.code_form.approve_a_creator_first}</EmptyState>;
  return <CreateCodeForm {...props} owners={approved.data?.data ?? []} />;
}

function CreateCodeForm({ store, owners, close }: CreateFormProps & { readonly owners: readonly CodeOwner[] }) {
  const client = useQueryClient();
  const create = (values: Values, key: string) => {
    const [program = '', creator = ''] = values.text('creator_id').split(' ');
    const path = apiPath('/stores/{store}/programs/{program}/codes', { store, program });
    return api.post(path, { creator_id: creator, code: values.text('code'), ...settingsBody(values, true) }, key);
  };
  const done = async () => {
    await refresh(client, ...pathsOfCodes(store));
    close();
  };
  return (
    <Form send={create} done={done} submit={t.codes_page.create_code}>
      <SelectField
        name="creator_id"
        label={t.code_form.owner}
        description={t.code_form.owner_hint}
        data={owners.map(({ program_id: program, program_name, creator_id: creator, creator_name }) => ({
          value: `${program} ${creator}`,
          label: t.code_form.owner_option({ creator: creator_name, program: program_name }),
        }))}
        data-autofocus
      />
      <TextField name="code" label={t.code_form.code} description={t.code_form.code_hint} maxLength={codeLengthMax} autoComplete="off" />
      <SettingsFields now={null} />
    </Form>
  );
}

export function EditCodeButton({ store, code }: { readonly store: string; readonly code: DiscountCode }) {
  const [opened, setOpened] = useState(false);
  const client = useQueryClient();
  const done = async () => {
    await refresh(client, ...pathsOfCodes(store));
    setOpened(false);
  };
  return (
    <>
      <Button variant="subtle" size="xs" aria-label={t.code_actions.edit_code({ code: code.code })} onClick={() => setOpened(true)}>
        {t.code_actions.edit}
      </Button>
      <Dialog title={t.code_actions.edit_code({ code: code.code })} opened={opened} onClose={() => setOpened(false)}>
        <Form send={(values) => api.patch(codePath(store, code.id), settingsBody(values, false))} done={done} submit={t.code_actions.save}>
          <SettingsFields now={code} />
        </Form>
      </Dialog>
    </>
  );
}

function SettingsFields({ now }: { readonly now: DiscountCode | null }) {
  return (
    <>
      <FieldRow>
        <TextField
          name="valid_from"
          label={t.code_form.valid_from}
          description={now === null ? t.code_form.valid_from_hint : undefined}
          type="datetime-local"
          optional={now === null}
          defaultValue={now === null ? '' : localInput(now.valid_from)}
        />
        <TextField
          name="valid_until"
          label={t.code_form.valid_until}
          description={t.code_form.valid_until_hint}
          type="datetime-local"
          optional
          defaultValue={typeof now?.valid_until === 'string' ? localInput(now.valid_until) : ''}
        />
      </FieldRow>
      <TextField
        name="orders_per_customer"
        label={t.code_form.orders_per_customer}
        description={t.code_form.orders_per_customer_hint}
        inputMode="numeric"
        optional
        defaultValue={now?.orders_per_customer ?? ''}
      />
      <CheckboxGroup label={t.code_form.attribution} name="shared">
        <CheckboxOption
          name="shared"
          value="yes"
          label={t.code_form.shared}
          description={t.code_form.shared_hint}
          defaultChecked={now?.shared ?? false}
        />
      </CheckboxGroup>
    </>
  );
}

/** A new code without a start is valid from now on. */
function settingsBody(values: Values, isNew: boolean) {
  const from = timeIn(values, 'valid_from');
  if (from === null && !isNew) throw fieldError('valid_from', t.code_form.must_be_a_time);
  return {
    shared: values.text('shared') === 'yes',
    ...(from !== null && { valid_from: from }),
    valid_until: timeIn(values, 'valid_until'),
    orders_per_customer: limitIn(values),
  };
}

function timeIn(values: Values, name: string): string | null {
  const typed = values.text(name);
  if (typed === '') return null;
  const moment = localInputToUtc(typed);
  if (moment === null) throw fieldError(name, t.code_form.must_be_a_time);
  return moment;
}

const limitMax = 10_000;

function limitIn(values: Values): number | null {
  const typed = values.text('orders_per_customer');
  if (typed === '') return null;
  if (!/^[1-9]\d{0,4}$/.test(typed) || Number(typed) > limitMax)
    throw fieldError('orders_per_customer', t.code_form.must_be_a_whole_number);
  return Number(typed);
}

/** The value of a `datetime-local` field, with seconds, so that saving without a change keeps the time. */
function localInput(at: string): string {
  const moment = new Date(at);
  return new Date(moment.getTime() - moment.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
}
