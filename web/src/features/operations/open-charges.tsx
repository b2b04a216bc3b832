import { Button } from '../../ui/button.tsx';
import { Radio } from '../../ui/checkbox.tsx';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import type { OpenCharge } from '../../../../sdk/src/api-schema.ts';
import { apiPath, type RequestBody } from '../../api/operations.ts';
import { StatusChip, type StatusTexts } from '../../ui/chip.tsx';
import { CopyIcon } from '../../ui/copy.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { CheckboxGroup, TextField } from '../../ui/fields.tsx';
import { formError, Form, type Values } from '../../ui/form.tsx';
import { formatDollars, formatUsd } from '../../ui/format.ts';
import { TextLink } from '../../ui/links.tsx';
import { ListView, useList } from '../../ui/list.tsx';
import { EmptyState, Page, Section } from '../../ui/page.tsx';
import type { Column } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { StoreLink, useStoreName } from './entity-links.tsx';
import type { ChargesSearch } from './operator-search.ts';
import styles from './operator.module.css';
import { UnmatchedCharges } from './unmatched-charges.tsx';
import { t } from './messages.ts';
import { rich } from '../../messages/rich-text.tsx';

/** Charges with an unknown result. Nearly all resolve without action; the others need a person who checks at the provider. */
export function OpenChargesPage() {
  const search = useSearch({ from: '/signed-in/operator/charges' });
  const navigate = useNavigate({ from: '/operator/charges' });
  const list = useList<'/charges', Pick<ChargesSearch, 'state'>>({
    search,
    navigate,
    path: '/charges',
    defaultSort: 'made_at',
    fields: [{ type: 'select', name: 'state', label: t.open_charges.state, options: states }],
  });
  return (
    <Page
      title={t.open_charges.open_charges}
      above={<TextLink to="/operator/billing-runs">{t.billing_runs.billing_runs}</TextLink>}
      intro={t.open_charges.a_charge_without_a_response}
    >
      <Section title={t.open_charges.open_charges_2} bare flush>
        <ListView
          list={list}
          caption={t.open_charges.open_charges_2}
          columns={openChargeColumns}
          keyOf={({ id }) => id}
          empty={
            !list.isFiltered ? (
              <EmptyState title={t.open_charges.no_open_charges}>{t.open_charges.every_charge_has_a_result}</EmptyState>
            ) : (
              <EmptyState title={t.open_charges.no_matching_charges}>{t.open_charges.clear_the_filter_to_see}</EmptyState>
            )
          }
        />
      </Section>
      <UnmatchedCharges />
    </Page>
  );
}

const states = [
  ['unknown', t.open_charges.unknown],
  ['pending', t.open_charges.accepted],
  ['sending', t.open_charges.sending],
  ['ready', t.open_charges.ready_to_send],
] as const;

const openChargeColumns: ReadonlyArray<Column<OpenCharge>> = [
  { title: t.open_charges.created, sort: 'made_at', priority: true, cell: ({ made_at: at }) => <Time at={at} /> },
  { title: t.open_charges.store, priority: true, kind: 'name', cell: ({ store_id: id }) => <StoreLink id={id} /> },
  {
    title: t.open_charges.amount_usd,
    sort: 'amount_cents',
    priority: true,
    kind: 'number',
    cell: ({ amount_cents: cents }) => <strong>{formatDollars(cents)}</strong>,
  },
  { title: t.open_charges.state, priority: true, cell: ({ state }) => <OpenChargeStatusChip state={state} /> },
  {
    title: t.open_charges.status,
    cell: ({ message, called_at: called }) => (
      <>
        <span className={styles.error}>{message ?? t.open_charges.none_yet}</span>
        {called !== null && <div className={styles.muted}>{rich(t.open_charges.last_checked, { time: <Time at={called} /> })}</div>}
      </>
    ),
  },
  { title: t.open_charges.change, kind: 'actions', cell: (charge) => <SettleChargeButton charge={charge} /> },
];

const stateTexts: StatusTexts<OpenCharge['state']> = {
  unknown: [t.open_charges.unknown, 'wait', t.open_charges.the_provider_did_not_respond],
  pending: [t.open_charges.accepted, 'wait', t.open_charges.the_provider_received_it_and],
  sending: [t.open_charges.sending, 'wait', t.open_charges.the_request_is_in_progress],
  ready: [t.open_charges.ready_to_send, 'neutral', t.open_charges.recorded_in_the_ledger_not],
};

function OpenChargeStatusChip({ state }: Pick<OpenCharge, 'state'>) {
  return <StatusChip texts={stateTexts} state={state} />;
}

type SettleChargeProps = { readonly charge: OpenCharge };

/** Records how a charge ended, after a check at the provider. The audit log names the operator. */
function SettleChargeButton({ charge }: SettleChargeProps) {
  const store = useStoreName(charge.store_id);
  const [opened, setOpened] = useState(false);
  if (charge.state === 'ready') return null;
  return (
    <>
      <Button
        variant="subtle"
        size="xs"
        aria-label={t.open_charges.set_result_of({ cents: charge.amount_cents, store })}
        onClick={() => setOpened(true)}
      >
        {t.open_charges.set_result}
      </Button>
      <Dialog
        title={t.open_charges.what_was_the_result_of({ amountCents: charge.amount_cents })}
        opened={opened}
        onClose={() => setOpened(false)}
      >
        <SettleChargeForm charge={charge} close={() => setOpened(false)} />
      </Dialog>
    </>
  );
}

type ChargeOutcome = RequestBody<'/stores/{store}/charges/{charge}/settle', 'post'>['outcome'];

const outcomes = [
  ['succeeded', t.open_charges.succeeded, t.open_charges.the_invoice_is_paid_and],
  ['declined', t.open_charges.declined, t.open_charges.it_counts_as_a_declined],
  ['never_made', t.open_charges.not_found, t.open_charges.the_invoice_is_charged_again],
] as const satisfies ReadonlyArray<readonly [ChargeOutcome, string, string]>;

function SettleChargeForm({ charge, close }: SettleChargeProps & { readonly close: () => void }) {
  const [outcome, setOutcome] = useState<ChargeOutcome | ''>('');
  const client = useQueryClient();
  const send = async (values: Values, key: string) => {
    if (outcome === '') throw formError(t.open_charges.select_one_of_the_three);
    const provided = outcome === 'succeeded' ? { provider_id: values.text('provider_id') } : {};
    await api.post(
      apiPath('/stores/{store}/charges/{charge}/settle', { store: charge.store_id, charge: charge.id }),
      { outcome, note: values.text('note'), ...provided },
      key,
    );
  };
  const done = async () => {
    close();
    await client.invalidateQueries();
  };
  return (
    <Form
      send={send}
      done={done}
      submit={t.open_charges.set_result_2}
      beside={
        <Button variant="default" onClick={close}>
          {t.open_charges.cancel}
        </Button>
      }
    >
      <ProviderCheckSteps charge={charge} />
      <CheckboxGroup label={t.open_charges.result_at_the_provider}>
        {outcomes.map(([value, label, description]) => (
          <Radio
            key={value}
            name="outcome"
            value={value}
            label={label}
            description={description}
            checked={outcome === value}
            onChange={() => setOutcome(value)}
          />
        ))}
      </CheckboxGroup>
      {outcome === 'succeeded' && (
        <TextField name="provider_id" label={t.open_charges.provider_id} description={t.open_charges.such_as_ch_or_pi} maxLength={200} />
      )}
      <TextField name="note" label={t.open_charges.source} description={t.open_charges.recorded_in_the_audit_log} maxLength={200} />
    </Form>
  );
}

/** The checks before recording a result. */
const ProviderCheckSteps = ({ charge }: SettleChargeProps) => (
  <ol className={styles.steps}>
    <li>
      {t.open_charges.open_the_list_of_payments} {charge.provider === 'stripe' ? t.open_charges.stripe : t.open_charges.the_provider}{' '}
      {t.open_charges.and_look_for} <span className="mono">{charge.id}</span>{' '}
      <CopyIcon value={charge.id} label={t.open_charges.the_reference_of_the_charge} />
      {t.open_charges.the_idempotency_key_of_the}
      {charge.description}”.
    </li>
    <li>
      {t.open_charges.amount_and_day_must_match} {formatUsd(charge.amount_cents)}, <Time at={charge.made_at} />
      {charge.provider_id !== null && (
        <>{rich(t.open_charges.under_the_name, { span: <span className="mono">{charge.provider_id}</span> })}</>
      )}
      .
    </li>
    <li>{rich(t.open_charges.if_it_is_missing_it, { time: <Time at={charge.surely_never_made_at} /> })}</li>
  </ol>
);
