import { Alert, Group } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRouteContext } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../api.ts';
import { Chip } from '../parts/chip.tsx';
import { ConfirmButton } from '../parts/dialog.tsx';
import { SelectField } from '../parts/fields.tsx';
import { Form } from '../parts/form.tsx';
import { Icon } from '../parts/icons.tsx';
import { Section } from '../parts/page.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { refresh } from '../parts/reading.ts';
import { Waiting } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { useMay } from '../people/may.ts';
import { backupPath, methodPath, methodsReading, sandboxWords, type PaymentMethod, type PaymentMethods } from './billing-api.ts';
import { methodLabel, methodMeaning } from './billing-chips.tsx';
import styles from './billing.module.css';
import { CardAtStripe } from './card-at-stripe.tsx';
import { storePath } from './stores-api.ts';

/** How the store pays, and what is tried first when that was declined. */
export function PaymentMethodsPart({ store }: { readonly store: string }) {
  const methods = useQuery(methodsReading(store));
  const mayPay = useMay(store)('billing:write');
  const { session } = useRouteContext({ from: '/inside' });
  const may = { words: mayPay && session.mode === 'sandbox', cards: mayPay && methods.data?.takes_cards === true };
  return (
    <Section title="How you pay" intro={introOf(session.mode, mayPay, may.cards)}>
      {methods.isPending && <Waiting />}
      {methods.isError && <ProblemNote problem={methods.error} onRetry={() => void methods.refetch()} />}
      {methods.isSuccess && (
        <div className={styles.pair}>
          <Main store={store} methods={methods.data} may={may} />
          <Backup store={store} methods={methods.data} may={may} />
        </div>
      )}
    </Section>
  );
}

function introOf(mode: 'sandbox' | 'live', mayPay: boolean, takesCards: boolean): string {
  if (!mayPay) return 'Owners and finance change this.';
  if (takesCards && mode === 'live') return 'A card is entered on the page of Stripe, and never here. What is open is charged at once.';
  if (mode === 'live') return 'No card can be entered here yet: whoever runs this installation has to set its key of Stripe.';
  return 'This is the sandbox: no money moves. Choose how each charge ends; what is open is charged at once.';
}

type PartProps = { readonly store: string; readonly methods: PaymentMethods; readonly may: May };
/** What this person may change here: by a word of the sandbox, by a card. */
type May = { readonly words: boolean; readonly cards: boolean };

function Main({ store, methods, may }: PartProps) {
  const own = methods.payment_method;
  return (
    <section aria-label="Payment method">
      <h3 className={styles.part}>Payment method</h3>
      {own === null ? (
        <Alert variant="outline" color="yellow" icon={<Icon name="alert" />} mb="sm">
          There is none, so no bill can be charged. Set one before the first is due.
        </Alert>
      ) : (
        <Shown method={own} />
      )}
      {may.words && (
        <MethodForm store={store} path={methodPath(store)} label="Each charge" former={own} submit="Set, and pay what is open" />
      )}
      {may.cards && (
        <Group mt="sm" gap="xs">
          <CardAtStripe
            store={store}
            path={methodPath(store)}
            back="card"
            label={own === null ? 'Enter a card at Stripe' : 'Enter another card at Stripe'}
          />
        </Group>
      )}
    </section>
  );
}

function RemoveBackup({ store }: { readonly store: string }) {
  const client = useQueryClient();
  return (
    <ConfirmButton
      label="Remove"
      of="the backup method"
      title="Remove the backup method?"
      confirm="Remove it"
      danger
      size="sm"
      run={async () => {
        await api.delete(backupPath(store));
        await refresh(client, storePath(store));
      }}
    >
      <p>When a charge is declined, it is then tried again after days only.</p>
    </ConfirmButton>
  );
}

function Backup({ store, methods, may }: PartProps) {
  const backup = methods.backup_payment_method;
  return (
    <section aria-label="Backup method">
      <h3 className={styles.part}>Backup method</h3>
      {backup === null ? (
        <p className={styles.quiet}>None. One is tried as soon as a charge was declined, before days are waited.</p>
      ) : (
        <Shown method={backup} />
      )}
      {may.words && (
        <MethodForm store={store} path={backupPath(store)} label="Each charge of the backup" former={backup} submit="Set as the backup" />
      )}
      <Group mt="sm" gap="xs">
        {may.cards && <CardAtStripe store={store} path={backupPath(store)} back="backup_card" label="Enter a backup card at Stripe" />}
        {backup !== null && (may.words || may.cards) && <RemoveBackup store={store} />}
      </Group>
    </section>
  );
}

const Shown = ({ method: { provider, sandbox, since } }: { readonly method: PaymentMethod }) => (
  <p className={styles.method}>
    {sandbox === null ? (
      <Chip word={provider} tone="good" meaning="A method that is saved with this provider." />
    ) : (
      <Chip word={methodLabel(sandbox)} tone={sandbox === 'declined' ? 'bad' : 'good'} meaning={methodMeaning(sandbox)} />
    )}
    <span className={styles.quiet}>
      since <Time at={since} />
    </span>
  </p>
);

type MethodFormProps = {
  readonly store: string;
  readonly path: string;
  readonly label: string;
  readonly former: PaymentMethod | null;
  readonly submit: string;
};

function MethodForm({ store, path, label, former, submit }: MethodFormProps) {
  const client = useQueryClient();
  const [word, setWord] = useState(former?.sandbox ?? 'ok');
  return (
    <Form
      send={(values) => api.put(path, { sandbox: values.text('sandbox') })}
      done={() => refresh(client, storePath(store))}
      submit={submit}
    >
      <SelectField
        name="sandbox"
        label={label}
        description={methodMeaning(word)}
        value={word}
        onChange={({ currentTarget }) => setWord(currentTarget.value)}
        data={sandboxWords.map((value) => ({ value, label: methodLabel(value) }))}
      />
    </Form>
  );
}
