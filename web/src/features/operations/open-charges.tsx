import { Button, Radio } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import type { OpenCharge } from '../../api/api-schema.ts';
import { apiPath, type RequestBody } from '../../api/operations.ts';
import { StatusChip, type StatusTexts } from '../../ui/chip.tsx';
import { CopyIcon } from '../../ui/copy.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/fields.tsx';
import { formError, Form, type Values } from '../../ui/form.tsx';
import { formatDollars, formatUsd } from '../../ui/format.ts';
import { ListView, useList } from '../../ui/list.tsx';
import { EmptyState, Page, Section } from '../../ui/page.tsx';
import type { Column } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { StoreLink } from './entity-links.tsx';
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
    fields: [{ type: 'select', name: 'state', label: t.open_charges.state, options: states }],
  });
  return (
    <Page title={t.open_charges.open_charges} intro={t.open_charges.a_charge_that_was_not}>
      <Section title={t.open_charges.charges_without_an_end} bare flush>
        <ListView
          list={list}
          caption={t.open_charges.charges_without_an_end}
          columns={openChargeColumns}
          keyOf={({ id }) => id}
          empty={
            !list.isFiltered ? (
              <EmptyState title={t.open_charges.no_charge_is_open}>{t.open_charges.every_charge_has_ended_one}</EmptyState>
            ) : (
              <EmptyState title={t.open_charges.no_open_charge_is_in}>{t.open_charges.clear_the_filter_to_see}</EmptyState>
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
  ['sending', t.open_charges.being_sent],
  ['ready', t.open_charges.about_to_be_sent],
] as const;

const openChargeColumns: ReadonlyArray<Column<OpenCharge>> = [
  { title: t.open_charges.made, cell: ({ made_at: at }) => <Time at={at} /> },
  { title: t.open_charges.store, priority: true, kind: 'name', cell: ({ store_id: id }) => <StoreLink id={id} /> },
  {
    title: t.open_charges.amount_usd,
    priority: true,
    kind: 'number',
    cell: ({ amount_cents: cents }) => <strong>{formatDollars(cents)}</strong>,
  },
  { title: t.open_charges.state, priority: true, cell: ({ state }) => <OpenChargeStatusChip state={state} /> },
  {
    title: t.open_charges.what_is_known,
    cell: ({ message, called_at: called }) => (
      <>
        <span className={styles.error}>{message ?? t.open_charges.nothing_yet}</span>
        {called !== null && <div className={styles.muted}>{rich(t.open_charges.asked_last, { time: <Time at={called} /> })}</div>}
      </>
    ),
  },
  { title: t.open_charges.change, kind: 'actions', cell: (charge) => <SettleChargeButton charge={charge} /> },
];

const stateTexts: StatusTexts<OpenCharge['state']> = {
  unknown: [t.open_charges.unknown, 'wait', t.open_charges.the_provider_did_not_answer],
  pending: [t.open_charges.accepted, 'wait', t.open_charges.the_provider_has_it_and],
  sending: [t.open_charges.being_sent, 'wait', t.open_charges.the_provider_is_being_called],
  ready: [t.open_charges.about_to_be_sent, 'neutral', t.open_charges.it_stands_in_the_books],
};

function OpenChargeStatusChip({ state }: Pick<OpenCharge, 'state'>) {
  return <StatusChip texts={stateTexts} state={state} />;
}

type SettleChargeProps = { readonly charge: OpenCharge };

/** Records how a charge ended, after a check at the provider. The audit log names the operator. */
function SettleChargeButton({ charge }: SettleChargeProps) {
  const [opened, setOpened] = useState(false);
  if (charge.state === 'ready') return null;
  return (
    <>
      <Button variant="subtle" size="xs" aria-label={t.open_charges.settle({ id: charge.id })} onClick={() => setOpened(true)}>
        {t.open_charges.settle_2}
      </Button>
      <Dialog title={t.open_charges.how_did_end({ amountCents: charge.amount_cents })} opened={opened} onClose={() => setOpened(false)}>
        <SettleChargeForm charge={charge} close={() => setOpened(false)} />
      </Dialog>
    </>
  );
}

type ChargeOutcome = RequestBody<'/stores/{store}/charges/{charge}/settle', 'post'>['outcome'];

function SettleChargeForm({ charge, close }: SettleChargeProps & { readonly close: () => void }) {
  const [outcome, setOutcome] = useState<ChargeOutcome | ''>('');
  const client = useQueryClient();
  const send = async (values: Values, key: string) => {
    if (outcome === '') throw formError(t.open_charges.say_what_the_list_of);
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
      submit={t.open_charges.say_so}
      beside={
        <Button variant="default" onClick={close}>
          {t.open_charges.cancel}
        </Button>
      }
    >
      <ProviderCheckSteps charge={charge} />
      <Radio.Group label={t.open_charges.what_its_list_says} value={outcome} onChange={setOutcome} required withAsterisk={false}>
        <div className={styles.choices}>
          <Radio value="succeeded" label={t.open_charges.it_succeeded} description={t.open_charges.the_invoice_is_paid_and} />
          <Radio value="declined" label={t.open_charges.it_was_declined} description={t.open_charges.it_counts_as_a_failed} />
          <Radio value="never_made" label={t.open_charges.it_is_not_there} description={t.open_charges.the_invoice_is_charged_once} />
        </div>
      </Radio.Group>
      {outcome === 'succeeded' && (
        <TextField
          name="provider_id"
          label={t.open_charges.its_name_at_the_provider}
          description={t.open_charges.such_as_ch_or_pi}
          maxLength={200}
        />
      )}
      <TextField name="note" label={t.open_charges.where_you_saw_it} description={t.open_charges.stands_in_the_audit_log} maxLength={200} />
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
      {t.open_charges.it_is_the_idempotency_key}
      {charge.description}”.
    </li>
    <li>
      {t.open_charges.amount_and_day_must_be} {formatUsd(charge.amount_cents)}, <Time at={charge.made_at} />
      {charge.provider_id !== null && (
        <>{rich(t.open_charges.under_the_name, { span: <span className="mono">{charge.provider_id}</span> })}</>
      )}
      .
    </li>
    <li>{rich(t.open_charges.if_it_is_not_there, { time: <Time at={charge.surely_never_made_at} /> })}</li>
  </ol>
);
