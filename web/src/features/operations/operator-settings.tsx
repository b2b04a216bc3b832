import { Alert, Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQuery, useQueryClient, useMutation } from '@tanstack/react-query';
import { useRouteContext } from '@tanstack/react-router';
import { api } from '../../api/client.ts';
import { QueryView } from '../../ui/query-view.tsx';
import type { BillingSettings, PayoutSettings } from '../../api/api-schema.ts';
import { formatHundredths, parseHundredths } from '../../ui/format.ts';
import { ConfirmButton } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/fields.tsx';
import { fieldError, Form, type Values } from '../../ui/form.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Page, Section } from '../../ui/page.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { apiQuery, refresh } from '../../ui/queries.ts';
import { LoadingSkeleton } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { RiskSettingsSection } from './risk-settings.tsx';

/** Settings of the whole installation. */
export function OperatorSettings() {
  return (
    <Page
      title="Settings"
      narrow
      intro="They apply to all stores and creators immediately. Issued invoices and sent payouts do not change."
    >
      <BillingSettingsSection />
      <PayoutSettingsSection />
      <RiskSettingsSection />
      <NewOperatorRules />
    </Page>
  );
}

const notifySaved = () => notifications.show({ message: 'Saved. Effective immediately.' });

/** An amount in USD or a percentage with two decimals. */
function parseNumberField(values: Values, name: string): number {
  const read = parseHundredths(values.text(name));
  if (read === null) throw fieldError(name, 'must be a number such as 25 or 12.50');
  return read;
}

function BillingSettingsSection() {
  const client = useQueryClient();
  const settings = useQuery(apiQuery('/billing-settings'));
  const save = (values: Values) =>
    api.put('/billing-settings', {
      fee_basis_points: parseNumberField(values, 'fee_basis_points'),
      minimum_cents: parseNumberField(values, 'minimum_cents'),
      early_cents: parseNumberField(values, 'early_cents'),
    });
  const done = async ({ fee_asked: pending, next_fee: next }: BillingSettings) => {
    await refresh(client, '/billing-settings');
    if (pending !== null) notifications.show({ message: 'Saved, except the fee: another operator has to save the same fee.' });
    else if (next !== null) notifications.show({ message: 'Saved. Store owners get an email about the higher fee.' });
    else notifySaved();
  };
  return (
    <Section title="Invoices of stores" intro="Saving asks for your password, unless you entered it within the last ten minutes.">
      <QueryView query={settings}>
        {(data) => (
          <Form key={JSON.stringify(data)} send={save} done={done} submit="Save billing">
            <PendingFee settings={data} />
            <TextField
              name="fee_basis_points"
              label="Platform fee, %"
              description={
                `On top of an invoice’s commissions; creators get their full commission. At most ${data.fee_max_basis_points / 100} %. ` +
                'In live mode a higher fee takes two operators and 30 days of notice to stores.'
              }
              inputMode="decimal"
              defaultValue={formatHundredths(data.fee_basis_points)}
            />
            <TextField
              name="minimum_cents"
              label="Minimum invoice, USD"
              description="Smaller amounts move to the next month, for at most 90 days."
              inputMode="decimal"
              defaultValue={formatHundredths(data.minimum_cents)}
            />
            <TextField
              name="early_cents"
              label="Invoice early from, USD"
              description="A store that owes this much gets an invoice before the 1st."
              inputMode="decimal"
              defaultValue={formatHundredths(data.early_cents)}
            />
          </Form>
        )}
      </QueryView>
    </Section>
  );
}

function PayoutSettingsSection() {
  const client = useQueryClient();
  const settings = useQuery(apiQuery('/payout-settings'));
  const save = (values: Values) =>
    api.put('/payout-settings', {
      minimum_cents: parseNumberField(values, 'minimum_cents'),
      second_person_above_cents:
        values.text('second_person_above_cents') === '' ? null : parseNumberField(values, 'second_person_above_cents'),
    });
  const done = async ({ second_person_asked: pending }: PayoutSettings) => {
    await refresh(client, '/payout-settings');
    if (pending === null) notifySaved();
    else notifications.show({ message: 'Saved, except the limit: another operator has to save the same limit.' });
  };
  return (
    <Section title="Payouts to creators" intro="Saving asks for your password, unless you entered it within the last ten minutes.">
      <QueryView query={settings}>
        {(data) => (
          <Form key={JSON.stringify(data)} send={save} done={done} submit="Save payouts">
            <PendingLimit pending={data.second_person_asked} />
            <TextField
              name="minimum_cents"
              label="Minimum payout, USD"
              description="At most 100. Creators can choose a higher minimum."
              inputMode="decimal"
              defaultValue={formatHundredths(data.minimum_cents)}
            />
            <TextField
              name="second_person_above_cents"
              label="Second person above, USD"
              description={limitText(data)}
              inputMode="decimal"
              optional
              defaultValue={data.second_person_above_cents === null ? '' : formatHundredths(data.second_person_above_cents)}
            />
          </Form>
        )}
      </QueryView>
    </Section>
  );
}

function PendingLimit({ pending }: { readonly pending: PayoutSettings['second_person_asked'] }) {
  const client = useQueryClient();
  if (pending === null) return null;
  return (
    <Alert variant="outline" color="yellow" icon={<Icon name="alert" />}>
      {pending.by_name} asked for {pending.above_cents === null ? 'no limit' : `a limit of ${formatHundredths(pending.above_cents)} USD`}
      {' on '}
      <Time at={pending.at} />. The current limit stays until another operator{' '}
      {pending.above_cents === null ? 'empties the field below' : `enters ${formatHundredths(pending.above_cents)} in the field below`} and
      saves.{' '}
      <ConfirmButton
        label="Withdraw the request"
        title="Withdraw the request?"
        confirm="Withdraw"
        variant="subtle"
        run={async () => {
          await api.delete('/payout-settings/second-person-request');
          await refresh(client, '/payout-settings');
        }}
      >
        <p>The current limit stays. A new request again needs two people.</p>
      </ConfirmButton>
    </Alert>
  );
}

/** Live mode has a default limit; the sandbox shows it. */
const limitText = ({ second_person_is_default: isDefault, live_default_cents: live }: PayoutSettings): string =>
  [
    'A larger payout waits until another operator confirms it. Empty: no limit. Raising or removing the limit takes two operators.',
    ...(isDefault ? [`In live mode the default is ${formatHundredths(live)} USD; in the sandbox there is none.`] : []),
  ].join(' ');

function PendingFee({ settings: { next_fee: next, fee_asked: pending } }: { readonly settings: BillingSettings }) {
  const client = useQueryClient();
  const withdraw = useMutation({
    mutationFn: async () => {
      await api.delete('/billing-settings/fee-rise');
      await refresh(client, '/billing-settings');
    },
  });
  if (next === null && pending === null) return null;
  return (
    <Alert variant="outline" color="yellow" icon={<Icon name="alert" />}>
      <ErrorAlert error={withdraw.error} />
      {next !== null && (
        <p style={{ marginTop: 0 }}>
          From <Time at={next.from} /> the fee is {formatHundredths(next.basis_points)} %. Store owners got an email.
        </p>
      )}
      {pending !== null && (
        <p style={{ marginTop: 0 }}>
          {pending.by_name} asked for a fee of {formatHundredths(pending.basis_points)} % on <Time at={pending.at} />. It is announced once
          another operator saves the same.
        </p>
      )}
      <Button variant="default" size="xs" loading={withdraw.isPending} onClick={() => withdraw.mutate()}>
        Withdraw the higher fee
      </Button>
    </Alert>
  );
}

/** Always in force in live mode; the sandbox may try them. */
function NewOperatorRules() {
  const { session } = useRouteContext({ from: '/signed-in' });
  const client = useQueryClient();
  const rules = useQuery(apiQuery('/operator-rules'));
  const change = useMutation({
    mutationFn: async () => {
      await api.put('/operator-rules', { in_force: rules.data?.in_force !== true });
      await refresh(client, '/operator-rules');
    },
  });
  return (
    <Section
      title="New operators"
      intro="A new operator is approved by an operator who did not invite them, and confirms no payout for 72 hours."
    >
      {rules.isPending && <LoadingSkeleton />}
      <ErrorAlert error={rules.error ?? change.error} />
      {rules.isSuccess && (
        <>
          <p style={{ marginTop: 0 }}>
            {rules.data.in_force
              ? 'These rules are in force.'
              : 'In the sandbox these rules are off; in live mode they are always in force.'}
          </p>
          {session.mode === 'sandbox' && (
            <Button variant="default" loading={change.isPending} onClick={() => change.mutate()}>
              {rules.data.in_force ? 'Turn off in the sandbox' : 'Try them in the sandbox'}
            </Button>
          )}
        </>
      )}
    </Section>
  );
}
