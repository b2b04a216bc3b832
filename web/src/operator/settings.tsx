import { Alert } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../api.ts';
import { hundredthsText, readHundredths } from '../parts/amounts.ts';
import { TextField } from '../parts/fields.tsx';
import { faultOf, Form, type Values } from '../parts/form.tsx';
import { Icon } from '../parts/icons.tsx';
import { Page, Section } from '../parts/page.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { reading, refresh } from '../parts/reading.ts';
import { Waiting } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { RiskSettingsSection } from './risk-settings.tsx';
import type { BillingSettings, PayoutSettings } from './operator-api.ts';

/** What holds for all stores and all creators. */
export function OperatorsSettings() {
  return (
    <Page title="Settings" narrow intro="What holds for all stores and creators, from now on. What was issued or sent stays as it is.">
      <Billing />
      <Payouts />
      <RiskSettingsSection />
    </Page>
  );
}

const told = () => notifications.show({ message: 'Saved. It holds from now on.' });

/** An amount in USD or a percentage, to two figures. */
function hundredths(values: Values, name: string): number {
  const read = readHundredths(values.text(name));
  if (read === null) throw faultOf(name, 'must be a number such as 25 or 12.50');
  return read;
}

function Billing() {
  const client = useQueryClient();
  const settings = useQuery(reading<BillingSettings>('/billing-settings'));
  const save = (values: Values) =>
    api.put('/billing-settings', {
      fee_basis_points: hundredths(values, 'fee_basis_points'),
      minimum_cents: hundredths(values, 'minimum_cents'),
      early_cents: hundredths(values, 'early_cents'),
    });
  const done = async () => {
    await refresh(client, '/billing-settings');
    told();
  };
  return (
    <Section title="Billing of stores">
      {settings.isPending && <Waiting />}
      {settings.isError && <ProblemNote problem={settings.error} onRetry={() => void settings.refetch()} />}
      {settings.isSuccess && (
        <Form key={JSON.stringify(settings.data)} send={save} done={done} submit="Save billing">
          <TextField
            name="fee_basis_points"
            label="Platform fee, %"
            description="On top of an invoice’s commissions; creators get theirs whole."
            inputMode="decimal"
            defaultValue={hundredthsText(settings.data.fee_basis_points)}
          />
          <TextField
            name="minimum_cents"
            label="Minimum of a bill, USD"
            description="What is less is carried on to the next month, at most 90 days."
            inputMode="decimal"
            defaultValue={hundredthsText(settings.data.minimum_cents)}
          />
          <TextField
            name="early_cents"
            label="Billed early from, USD"
            description="A store that owes this much is billed before the 1st."
            inputMode="decimal"
            defaultValue={hundredthsText(settings.data.early_cents)}
          />
        </Form>
      )}
    </Section>
  );
}

function Payouts() {
  const client = useQueryClient();
  const settings = useQuery(reading<PayoutSettings>('/payout-settings'));
  const save = (values: Values) =>
    api.put<PayoutSettings>('/payout-settings', {
      minimum_cents: hundredths(values, 'minimum_cents'),
      second_person_above_cents: values.text('second_person_above_cents') === '' ? null : hundredths(values, 'second_person_above_cents'),
    });
  const done = async ({ second_person_asked: asked }: PayoutSettings) => {
    await refresh(client, '/payout-settings');
    if (asked === null) told();
    else notifications.show({ message: 'Saved, but for the limit: somebody else has to set the same.' });
  };
  return (
    <Section title="Payouts to creators" intro="You are asked to prove that it is you.">
      {settings.isPending && <Waiting />}
      {settings.isError && <ProblemNote problem={settings.error} onRetry={() => void settings.refetch()} />}
      {settings.isSuccess && (
        <Form key={JSON.stringify(settings.data)} send={save} done={done} submit="Save payouts">
          <AskedLimit asked={settings.data.second_person_asked} />
          <TextField
            name="minimum_cents"
            label="Minimum of a payout, USD"
            description="Up to 100. A creator may set more for themselves."
            inputMode="decimal"
            defaultValue={hundredthsText(settings.data.minimum_cents)}
          />
          <TextField
            name="second_person_above_cents"
            label="Second person above, USD"
            description="A larger payout waits until somebody else confirms it. Empty: never. Only two people together raise it or empty it."
            inputMode="decimal"
            optional
            defaultValue={settings.data.second_person_above_cents === null ? '' : hundredthsText(settings.data.second_person_above_cents)}
          />
        </Form>
      )}
    </Section>
  );
}

const AskedLimit = ({ asked }: { readonly asked: PayoutSettings['second_person_asked'] }) =>
  asked && (
    <Alert variant="outline" color="yellow" icon={<Icon name="alert" />}>
      {asked.by_name} asked for {asked.above_cents === null ? 'no limit' : `a limit of ${hundredthsText(asked.above_cents)} USD`} on{' '}
      <Time at={asked.at} />. The present one holds until somebody else{' '}
      {asked.above_cents === null ? 'empties the field below' : `writes ${hundredthsText(asked.above_cents)} into the field below`} and
      saves.
    </Alert>
  );
