import { toasts } from '../../ui/toasts.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { QueryView } from '../../ui/query-view.tsx';
import type { RiskSettings } from '../../../../sdk/src/api-schema.ts';
import { formatHundredths, parseHundredths } from '../../ui/format.ts';
import { SelectField, TextField } from '../../ui/fields.tsx';
import { fieldError, Form, type Values } from '../../ui/form.tsx';
import { Section } from '../../ui/page.tsx';
import { apiQuery, refresh } from '../../ui/queries.ts';
import { riskSettingsPath } from './risk-api.ts';
import { t } from './messages.ts';

/** Risk settings. An empty field uses the default of the mode. */
export function RiskSettingsSection() {
  const client = useQueryClient();
  const settings = useQuery(apiQuery(riskSettingsPath));
  const done = async () => {
    await refresh(client, riskSettingsPath);
    toasts.show({ message: t.risk_settings.risk_settings_saved });
  };
  return (
    <Section title={t.risk_settings.risk} intro={t.risk_settings.amounts_held_from_payouts_until}>
      <QueryView query={settings} />
      {settings.data?.asked && <PendingSettings pending={settings.data.asked} done={done} />}
      {settings.isSuccess && (
        <Form key={JSON.stringify(settings.data.set)} send={save} done={done} submit={t.risk_settings.save_risk_settings} warnsOnLeave>
          {settings.data.mode === 'sandbox' && <p>{liveModeText(settings.data)}</p>}
          <Fields settings={settings.data} />
        </Form>
      )}
    </Section>
  );
}

/** Looser settings need two operators: here the second one agrees. */
function PendingSettings({ pending, done }: { readonly pending: NonNullable<RiskSettings['asked']>; readonly done: () => Promise<void> }) {
  return (
    <Form send={() => api.put(riskSettingsPath, pending.set)} done={done} submit={t.risk_settings.approve_these_settings}>
      <p>{t.risk_settings.requested_less_strict_settings_the({ byName: pending.by_name, looserIn: pending.looser_in.join(', ') })}</p>
    </Form>
  );
}

const liveModeText = ({ live }: RiskSettings): string =>
  t.risk_settings.this_is_the_sandbox_defaults({
    effect: live.enforce ? t.risk_settings.hold_payouts : t.risk_settings.are_only_shown,
    days: live.reserve_days,
    amount: live.large_first_payout_cents,
  });

function Fields({ settings: { set, effective } }: { readonly settings: RiskSettings }) {
  return (
    <>
      <SelectField
        name="enforce"
        label={t.risk_settings.signals_and_matching_people}
        description={t.risk_settings.disputes_fraud_warnings_and_refund}
        defaultValue={set.enforce === null ? '' : String(set.enforce)}
        data={[
          { value: '', label: `Default: ${effective.enforce ? t.risk_settings.hold_payouts : t.risk_settings.only_show_cases}` },
          { value: 'true', label: t.risk_settings.hold_payouts_2 },
          { value: 'false', label: t.risk_settings.only_show_cases_2 },
        ]}
      />
      <TextField
        name="reserve_days"
        label={t.risk_settings.reserve_period_of_a_new}
        description={t.risk_settings.counted_from_its_first_successful}
        inputMode="numeric"
        optional
        placeholder={String(effective.reserve_days)}
        defaultValue={set.reserve_days ?? ''}
      />
      <TextField
        name="reserve_until_invoices"
        label={t.risk_settings.and_until_this_many_invoices}
        inputMode="numeric"
        optional
        defaultValue={set.reserve_until_invoices ?? ''}
      />
      <TextField
        name="large_first_payout_cents"
        label={t.risk_settings.first_payout_to_review_from}
        inputMode="decimal"
        optional
        placeholder={formatHundredths(effective.large_first_payout_cents)}
        defaultValue={set.large_first_payout_cents === null ? '' : formatHundredths(set.large_first_payout_cents)}
      />
      <TextField
        name="orders_per_hour_min"
        label={t.risk_settings.orders_in_an_hour_to}
        description={t.risk_settings.and_more_than_five_times}
        inputMode="numeric"
        optional
        placeholder={String(effective.orders_per_hour_min)}
        defaultValue={set.orders_per_hour_min ?? ''}
      />
      <TextField
        name="order_size_min_cents"
        label={t.risk_settings.order_to_review_from_usd}
        description={t.risk_settings.and_more_than_20_times}
        inputMode="decimal"
        optional
        placeholder={formatHundredths(effective.order_size_min_cents)}
        defaultValue={set.order_size_min_cents === null ? '' : formatHundredths(set.order_size_min_cents)}
      />
    </>
  );
}

const save = (values: Values) =>
  api.put(riskSettingsPath, {
    enforce: values.text('enforce') === '' ? null : values.text('enforce') === 'true',
    reserve_days: parseWholeOrNull(values, 'reserve_days'),
    reserve_until_invoices: parseWholeOrNull(values, 'reserve_until_invoices'),
    large_first_payout_cents: parseAmountOrNull(values, 'large_first_payout_cents'),
    orders_per_hour_min: parseWholeOrNull(values, 'orders_per_hour_min'),
    order_size_min_cents: parseAmountOrNull(values, 'order_size_min_cents'),
  });

function parseWholeOrNull(values: Values, name: string): number | null {
  const text = values.text(name);
  if (text === '') return null;
  if (!/^\d{1,6}$/.test(text)) throw fieldError(name, t.risk_settings.must_be_a_whole_number);
  return Number(text);
}

function parseAmountOrNull(values: Values, name: string): number | null {
  if (values.text(name) === '') return null;
  const read = parseHundredths(values.text(name));
  if (read === null) throw fieldError(name, t.risk_settings.must_be_an_amount_such);
  return read;
}
