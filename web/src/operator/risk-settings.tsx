import { notifications } from '@mantine/notifications';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../api.ts';
import { hundredthsText, readHundredths, usd } from '../parts/amounts.ts';
import { SelectField, TextField } from '../parts/fields.tsx';
import { faultOf, Form, type Values } from '../parts/form.tsx';
import { Section } from '../parts/page.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { reading, refresh } from '../parts/reading.ts';
import { Waiting } from '../parts/table.tsx';
import { riskSettingsPath, type RiskSettings } from './risk-api.ts';

/** What is kept back from payouts. An empty field takes the default of the mode. */
export function RiskSettingsSection() {
  const client = useQueryClient();
  const settings = useQuery(reading<RiskSettings>(riskSettingsPath));
  const done = async () => {
    await refresh(client, riskSettingsPath);
    notifications.show({ message: 'Risk settings saved.' });
  };
  return (
    <Section title="Risk" intro="What is kept back from payouts until it is safe. An empty field takes the default.">
      {settings.isPending && <Waiting />}
      {settings.isError && <ProblemNote problem={settings.error} onRetry={() => void settings.refetch()} />}
      {settings.data?.asked && <AskedFor asked={settings.data.asked} done={done} />}
      {settings.isSuccess && (
        <Form key={JSON.stringify(settings.data.set)} send={save} done={done} submit="Save risk settings">
          {settings.data.mode === 'sandbox' && <p>{inLiveMode(settings.data)}</p>}
          <Fields settings={settings.data} />
        </Form>
      )}
    </Section>
  );
}

/** What keeps less back takes two operators: here the second one agrees. */
function AskedFor({ asked, done }: { readonly asked: NonNullable<RiskSettings['asked']>; readonly done: () => Promise<void> }) {
  return (
    <Form send={() => api.put(riskSettingsPath, asked.set)} done={done} submit="Agree to these settings">
      <p>
        {asked.by_name} asked for settings that keep less back: {asked.looser_in.join(', ')}. They are in force once another operator
        agrees. To withdraw the request, save the present settings.
      </p>
    </Form>
  );
}

const inLiveMode = ({ live }: RiskSettings): string =>
  `This is the sandbox. In live mode, signals ${live.enforce ? 'keep payouts back' : 'are only shown'}, the reserve period is ${
    live.reserve_days
  } days, and a first payout from ${usd(live.large_first_payout_cents)} needs a review, unless you set something else there.`;

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
        placeholder={hundredthsText(effective.large_first_payout_cents)}
        defaultValue={set.large_first_payout_cents === null ? '' : hundredthsText(set.large_first_payout_cents)}
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
        placeholder={hundredthsText(effective.order_size_min_cents)}
        defaultValue={set.order_size_min_cents === null ? '' : hundredthsText(set.order_size_min_cents)}
      />
    </>
  );
}

const save = (values: Values) =>
  api.put(riskSettingsPath, {
    enforce: values.text('enforce') === '' ? null : values.text('enforce') === 'true',
    reserve_days: whole(values, 'reserve_days'),
    reserve_until_invoices: whole(values, 'reserve_until_invoices'),
    large_first_payout_cents: amount(values, 'large_first_payout_cents'),
    orders_per_hour_min: whole(values, 'orders_per_hour_min'),
    order_size_min_cents: amount(values, 'order_size_min_cents'),
  });

function whole(values: Values, name: string): number | null {
  const text = values.text(name);
  if (text === '') return null;
  if (!/^\d{1,6}$/.test(text)) throw faultOf(name, 'must be a whole number');
  return Number(text);
}

function amount(values: Values, name: string): number | null {
  if (values.text(name) === '') return null;
  const read = readHundredths(values.text(name));
  if (read === null) throw faultOf(name, 'must be an amount such as 500 or 12.50');
  return read;
}
