import { notifications } from '@mantine/notifications';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { QueryView } from '../../ui/query-view.tsx';
import type { RiskSettings } from '../../api/api-schema.ts';
import { formatHundredths, parseHundredths, formatUsd } from '../../ui/format.ts';
import { SelectField, TextField } from '../../ui/fields.tsx';
import { fieldError, Form, type Values } from '../../ui/form.tsx';
import { Section } from '../../ui/page.tsx';
import { apiQuery, refresh } from '../../ui/queries.ts';
import { riskSettingsPath } from './risk-api.ts';

/** Risk settings. An empty field uses the default of the mode. */
export function RiskSettingsSection() {
  const client = useQueryClient();
  const settings = useQuery(apiQuery(riskSettingsPath));
  const done = async () => {
    await refresh(client, riskSettingsPath);
    notifications.show({ message: 'Risk settings saved.' });
  };
  return (
    <Section title="Risk" intro="What is kept back from payouts until it is safe. An empty field takes the default.">
      <QueryView query={settings} />
      {settings.data?.asked && <PendingSettings pending={settings.data.asked} done={done} />}
      {settings.isSuccess && (
        <Form key={JSON.stringify(settings.data.set)} send={save} done={done} submit="Save risk settings" warnsOnLeave>
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
    <Form send={() => api.put(riskSettingsPath, pending.set)} done={done} submit="Agree to these settings">
      <p>
        {pending.by_name} asked for settings that keep less back: {pending.looser_in.join(', ')}. They are in force once another operator
        agrees. To withdraw the request, save the present settings.
      </p>
    </Form>
  );
}

const liveModeText = ({ live }: RiskSettings): string =>
  `This is the sandbox. In live mode, signals ${live.enforce ? 'keep payouts back' : 'are only shown'}, the reserve period is ${
    live.reserve_days
  } days, and a first payout from ${formatUsd(live.large_first_payout_cents)} needs a review, unless you set something else there.`;

function Fields({ settings: { set, effective } }: { readonly settings: RiskSettings }) {
  return (
    <>
      <SelectField
        name="enforce"
        label="Signals and matching people"
        description="Disputes, fraud warnings and refunds reported by the payment provider keep payouts back in any case."
        defaultValue={set.enforce === null ? '' : String(set.enforce)}
        data={[
          { value: '', label: `Default: ${effective.enforce ? 'keep payouts back' : 'only show cases'}` },
          { value: 'true', label: 'Keep payouts back' },
          { value: 'false', label: 'Only show cases' },
        ]}
      />
      <TextField
        name="reserve_days"
        label="Reserve period of a new store, days"
        description="Counted from its first successful charge."
        inputMode="numeric"
        optional
        placeholder={String(effective.reserve_days)}
        defaultValue={set.reserve_days ?? ''}
      />
      <TextField
        name="reserve_until_invoices"
        label="… and until so many invoices are paid"
        inputMode="numeric"
        optional
        defaultValue={set.reserve_until_invoices ?? ''}
      />
      <TextField
        name="large_first_payout_cents"
        label="First payout to review from, USD"
        inputMode="decimal"
        optional
        placeholder={formatHundredths(effective.large_first_payout_cents)}
        defaultValue={set.large_first_payout_cents === null ? '' : formatHundredths(set.large_first_payout_cents)}
      />
      <TextField
        name="orders_per_hour_min"
        label="Orders in an hour to review from"
        description="And more than five times as many as ever before."
        inputMode="numeric"
        optional
        placeholder={String(effective.orders_per_hour_min)}
        defaultValue={set.orders_per_hour_min ?? ''}
      />
      <TextField
        name="order_size_min_cents"
        label="Order to review from, USD"
        description="And more than twenty times the median of the store."
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
  if (!/^\d{1,6}$/.test(text)) throw fieldError(name, 'must be a whole number');
  return Number(text);
}

function parseAmountOrNull(values: Values, name: string): number | null {
  if (values.text(name) === '') return null;
  const read = parseHundredths(values.text(name));
  if (read === null) throw fieldError(name, 'must be an amount such as 500 or 12.50');
  return read;
}
