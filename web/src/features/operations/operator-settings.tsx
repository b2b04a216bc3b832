import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { toasts } from '../../ui/toasts.ts';
import { useQuery, useQueryClient, useMutation } from '@tanstack/react-query';
import { useRouteContext } from '@tanstack/react-router';
import { api } from '../../api/client.ts';
import { QueryView } from '../../ui/query-view.tsx';
import type { BillingSettings, PayoutSettings } from '../../../../sdk/src/api-schema.ts';
import { formatHundredths, parseHundredths } from '../../ui/format.ts';
import { ConfirmButton } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/fields.tsx';
import { fieldError, Form, type Values } from '../../ui/form.tsx';
import { Page, Section } from '../../ui/page.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { apiQuery, refresh } from '../../ui/queries.ts';
import { LoadingSkeleton } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { RiskSettingsSection } from './risk-settings.tsx';
import { t } from './messages.ts';
import { rich } from '../../messages/rich-text.tsx';

/** Settings of the whole installation. */
export function OperatorSettings() {
  return (
    <Page title={t.operator_settings.settings} narrow intro={t.operator_settings.they_apply_to_all_stores}>
      <BillingSettingsSection />
      <PayoutSettingsSection />
      <RiskSettingsSection />
      <NewOperatorRules />
    </Page>
  );
}

const notifySaved = () => toasts.show({ message: t.operator_settings.saved_effective_immediately });

/** An amount in USD or a percentage with two decimals. */
function parseNumberField(values: Values, name: string): number {
  const read = parseHundredths(values.text(name));
  if (read === null) throw fieldError(name, t.operator_settings.must_be_a_number_such);
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
    if (pending !== null) toasts.show({ message: t.operator_settings.saved_except_the_fee_another });
    else if (next !== null) toasts.show({ message: t.operator_settings.saved_store_owners_get_an });
    else notifySaved();
  };
  return (
    <Section title={t.operator_settings.invoices_of_stores} intro={t.operator_settings.saving_requires_your_password_unle}>
      <QueryView query={settings}>
        {(data) => (
          <Form key={JSON.stringify(data)} send={save} done={done} submit={t.operator_settings.save_billing}>
            <PendingFee settings={data} />
            <TextField
              name="fee_basis_points"
              label={t.operator_settings.platform_fee}
              description={t.operator_settings.fee_description({ value: data.fee_max_basis_points / 100 })}
              inputMode="decimal"
              defaultValue={formatHundredths(data.fee_basis_points)}
            />
            <TextField
              name="minimum_cents"
              label={t.operator_settings.minimum_invoice_usd}
              description={t.operator_settings.smaller_amounts_carry_over_to}
              inputMode="decimal"
              defaultValue={formatHundredths(data.minimum_cents)}
            />
            <TextField
              name="early_cents"
              label={t.operator_settings.invoice_early_from_usd}
              description={t.operator_settings.a_store_that_owes_this}
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
    else toasts.show({ message: t.operator_settings.saved_except_the_limit_another });
  };
  return (
    <Section title={t.operator_settings.payouts_to_creators} intro={t.operator_settings.saving_requires_your_password_unle}>
      <QueryView query={settings}>
        {(data) => (
          <Form key={JSON.stringify(data)} send={save} done={done} submit={t.operator_settings.save_payouts}>
            <PendingLimit pending={data.second_person_asked} />
            <TextField
              name="minimum_cents"
              label={t.operator_settings.minimum_payout_usd}
              description={t.operator_settings.at_most_100_creators_can}
              inputMode="decimal"
              defaultValue={formatHundredths(data.minimum_cents)}
            />
            <TextField
              name="second_person_above_cents"
              label={t.operator_settings.second_person_required_above_usd}
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
    <Alert color="yellow">
      {rich(
        pending.above_cents === null
          ? t.operator_settings.requested_no_limit({ name: pending.by_name })
          : t.operator_settings.requested_a_limit({ name: pending.by_name, aboveCents: formatHundredths(pending.above_cents) }),
        { time: <Time at={pending.at} /> },
      )}{' '}
      <ConfirmButton
        label={t.operator_settings.withdraw_the_request}
        title={t.operator_settings.withdraw_the_request_2}
        confirm={t.operator_settings.withdraw}
        variant="subtle"
        run={async () => {
          await api.delete('/payout-settings/second-person-request');
          await refresh(client, '/payout-settings');
        }}
      >
        <p>{t.operator_settings.the_current_limit_stays}</p>
      </ConfirmButton>
    </Alert>
  );
}

/** Live mode has a default limit; the sandbox shows it. */
const limitText = ({ second_person_is_default: isDefault, live_default_cents: live }: PayoutSettings): string =>
  [
    t.operator_settings.larger_payouts_wait_until_another,
    ...(isDefault ? [t.operator_settings.in_live_mode_the_default({ live: formatHundredths(live) })] : []),
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
    <Alert color="yellow">
      <ErrorAlert error={withdraw.error} />
      {next !== null && (
        <p style={{ marginTop: 0 }}>
          {rich(t.operator_settings.from_the_fee_is_store({ basisPoints: formatHundredths(next.basis_points) }), {
            time: <Time at={next.from} />,
          })}
        </p>
      )}
      {pending !== null && (
        <p style={{ marginTop: 0 }}>
          {rich(
            t.operator_settings.requested_a_fee_of_on({ byName: pending.by_name, basisPoints: formatHundredths(pending.basis_points) }),
            {
              time: <Time at={pending.at} />,
            },
          )}
        </p>
      )}
      <Button variant="default" size="xs" loading={withdraw.isPending} onClick={() => withdraw.mutate()}>
        {t.operator_settings.withdraw_fee_increase}
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
    <Section title={t.operator_settings.new_operators} intro={t.operator_settings.a_new_operator_must_be}>
      {rules.isPending && <LoadingSkeleton />}
      <ErrorAlert error={rules.error ?? change.error} />
      {rules.isSuccess && (
        <>
          <p style={{ marginTop: 0 }}>
            {rules.data.in_force ? t.operator_settings.these_rules_apply : t.operator_settings.these_rules_are_off_in}
          </p>
          {session.mode === 'sandbox' && (
            <Button variant="default" loading={change.isPending} onClick={() => change.mutate()}>
              {rules.data.in_force ? t.operator_settings.turn_off_in_the_sandbox : t.operator_settings.turn_on_in_the_sandbox}
            </Button>
          )}
        </>
      )}
    </Section>
  );
}
