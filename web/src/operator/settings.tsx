import { Alert, Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRouteContext } from '@tanstack/react-router';
import { api } from '../api.ts';
import { hundredthsText, readHundredths } from '../parts/amounts.ts';
import { ConfirmButton, useAction } from '../parts/dialog.tsx';
import { TextField } from '../parts/fields.tsx';
import { faultOf, Form, type Values } from '../parts/form.tsx';
import { Icon } from '../parts/icons.tsx';
import { Page, Section } from '../parts/page.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { reading, refresh } from '../parts/reading.ts';
import { Waiting } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { RiskSettingsSection } from './risk-settings.tsx';
import type { BillingSettings, OperatorRules, PayoutSettings } from './operator-api.ts';

/** What holds for all stores and all creators. */
export function OperatorsSettings() {
  return (
    <Page title="Settings" narrow intro="What holds for all stores and creators, from now on. What was issued or sent stays as it is.">
      <Billing />
      <Payouts />
      <RiskSettingsSection />
      <NewOperators />
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
    api.put<BillingSettings>('/billing-settings', {
      fee_basis_points: hundredths(values, 'fee_basis_points'),
      minimum_cents: hundredths(values, 'minimum_cents'),
      early_cents: hundredths(values, 'early_cents'),
    });
  const done = async ({ fee_asked: asked, next_fee: next }: BillingSettings) => {
    await refresh(client, '/billing-settings');
    if (asked !== null) notifications.show({ message: 'Saved, but for the fee: another operator has to set the same.' });
    else if (next !== null) notifications.show({ message: 'Saved. Store owners were told of the higher fee.' });
    else told();
  };
  return (
    <Section title="Billing of stores" intro="Saving asks for your password, unless you entered it within the last ten minutes.">
      {settings.isPending && <Waiting />}
      {settings.isError && <ProblemNote problem={settings.error} onRetry={() => void settings.refetch()} />}
      {settings.isSuccess && (
        <Form key={JSON.stringify(settings.data)} send={save} done={done} submit="Save billing">
          <FeeRise settings={settings.data} />
          <TextField
            name="fee_basis_points"
            label="Platform fee, %"
            description={`On top of an invoice’s commissions; creators get theirs whole. At most ${settings.data.fee_max_basis_points / 100} %. In live mode a higher fee takes two operators and 30 days of notice to stores.`}
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
    <Section title="Payouts to creators" intro="Saving asks for your password, unless you entered it within the last ten minutes.">
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
            description={limitWords(settings.data)}
            inputMode="decimal"
            optional
            defaultValue={settings.data.second_person_above_cents === null ? '' : hundredthsText(settings.data.second_person_above_cents)}
          />
        </Form>
      )}
    </Section>
  );
}

function AskedLimit({ asked }: { readonly asked: PayoutSettings['second_person_asked'] }) {
  const client = useQueryClient();
  if (asked === null) return null;
  return (
    <Alert variant="outline" color="yellow" icon={<Icon name="alert" />}>
      {asked.by_name} asked for {asked.above_cents === null ? 'no limit' : `a limit of ${hundredthsText(asked.above_cents)} USD`} on{' '}
      <Time at={asked.at} />. The present one holds until somebody else{' '}
      {asked.above_cents === null ? 'empties the field below' : `writes ${hundredthsText(asked.above_cents)} into the field below`} and
      saves.{' '}
      <ConfirmButton
        label="Withdraw the request"
        title="Withdraw the request?"
        confirm="Withdraw"
        look="subtle"
        run={async () => {
          await api.delete('/payout-settings/second-person-request');
          await refresh(client, '/payout-settings');
        }}
      >
        <p>The present limit stays. A new request again needs two people.</p>
      </ConfirmButton>
    </Alert>
  );
}

/** In live mode there is a limit by default; a sandbox shows which. */
const limitWords = ({ second_person_is_default: isDefault, live_default_cents: live }: PayoutSettings): string =>
  [
    'A larger payout waits until another person confirms it. Empty: never. Only two people together raise or empty it.',
    ...(isDefault ? [`In live mode the default is ${hundredthsText(live)} USD; in the sandbox there is none.`] : []),
  ].join(' ');

function FeeRise({ settings: { next_fee: next, fee_asked: asked } }: { readonly settings: BillingSettings }) {
  const client = useQueryClient();
  const withdraw = useAction(async () => {
    await api.delete('/billing-settings/fee-rise');
    await refresh(client, '/billing-settings');
  });
  if (next === null && asked === null) return null;
  return (
    <Alert variant="outline" color="yellow" icon={<Icon name="alert" />}>
      {withdraw.problem && <ProblemNote problem={withdraw.problem} />}
      {next !== null && (
        <p style={{ marginTop: 0 }}>
          From <Time at={next.from} /> the fee is {hundredthsText(next.basis_points)} %. Store owners were told.
        </p>
      )}
      {asked !== null && (
        <p style={{ marginTop: 0 }}>
          {asked.by_name} asked for a fee of {hundredthsText(asked.basis_points)} % on <Time at={asked.at} />. It is announced once another
          operator saves the same.
        </p>
      )}
      <Button variant="default" size="xs" loading={withdraw.running} onClick={withdraw.run}>
        Withdraw the higher fee
      </Button>
    </Alert>
  );
}

/** In force in live mode always; a sandbox may try them. */
function NewOperators() {
  const { session } = useRouteContext({ from: '/inside' });
  const client = useQueryClient();
  const rules = useQuery(reading<OperatorRules>('/operator-rules'));
  const change = useAction(async () => {
    await api.put('/operator-rules', { in_force: rules.data?.in_force !== true });
    await refresh(client, '/operator-rules');
  });
  return (
    <Section
      title="New operators"
      intro="A new operator is approved by an operator who did not invite them, and confirms no payout for 72 hours."
    >
      {rules.isPending && <Waiting />}
      {(rules.error ?? change.problem) && <ProblemNote problem={rules.error ?? change.problem ?? new Error('unknown')} />}
      {rules.isSuccess && (
        <>
          <p style={{ marginTop: 0 }}>
            {rules.data.in_force
              ? 'These rules are in force.'
              : 'In the sandbox these rules are off; in live mode they are always in force.'}
          </p>
          {session.mode === 'sandbox' && (
            <Button variant="default" loading={change.running} onClick={change.run}>
              {rules.data.in_force ? 'Turn off in the sandbox' : 'Try them in the sandbox'}
            </Button>
          )}
        </>
      )}
    </Section>
  );
}
