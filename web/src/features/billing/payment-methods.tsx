import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { toasts } from '../../ui/toasts.ts';
import { useQuery, useQueryClient, useMutation } from '@tanstack/react-query';
import { useRouteContext, useNavigate, useSearch } from '@tanstack/react-router';
import { useState, useEffect } from 'react';
import { api } from '../../api/client.ts';
import { QueryView } from '../../ui/query-view.tsx';
import type { PaymentMethods } from '../../../../sdk/src/api-schema.ts';
import { apiPath, type PathTo } from '../../api/operations.ts';
import { Chip } from '../../ui/chip.tsx';
import { ConfirmButton } from '../../ui/dialog.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { SelectField } from '../../ui/fields.tsx';
import { Form } from '../../ui/form.tsx';
import { Section } from '../../ui/page.tsx';
import { refresh } from '../../ui/queries.ts';
import { Time } from '../../ui/time.tsx';
import { usePermission } from '../access/permissions.tsx';
import { storePath } from '../stores/stores-api.ts';
import { backupMethodPath, paymentMethodPath, paymentMethodsQuery, sandboxOutcomes } from './billing-api.ts';
import { outcomeLabel, outcomeMeaning } from './billing-status-chips.tsx';
import styles from './billing.module.css';
import { t } from './messages.ts';
import { rich } from '../../messages/rich-text.tsx';

/** How the store pays, and the method that is tried first after a decline. */
export function PaymentMethodsSection({ store }: { readonly store: string }) {
  const methods = useQuery(paymentMethodsQuery(store));
  const mayPay = usePermission(store)('billing:write');
  const { session } = useRouteContext({ from: '/signed-in' });
  const may = { sandboxOutcome: mayPay && session.mode === 'sandbox', cards: mayPay && methods.data?.takes_cards === true };
  return (
    <Section title={t.payment_methods.payment_methods} intro={introText(session.mode, mayPay, may.cards)}>
      <QueryView query={methods}>
        {(data) => (
          <div className={styles.columns}>
            <PrimaryMethod store={store} methods={data} may={may} />
            <BackupMethod store={store} methods={data} may={may} />
          </div>
        )}
      </QueryView>
    </Section>
  );
}

function introText(mode: 'sandbox' | 'live', mayPay: boolean, takesCards: boolean): string {
  if (!mayPay) return t.payment_methods.only_owners_and_finance_members;
  if (takesCards && mode === 'live') return t.payment_methods.you_enter_card_details_on;
  if (mode === 'live') return t.payment_methods.cards_are_not_available_yet;
  return t.payment_methods.this_is_the_sandbox_so;
}

type MethodProps = { readonly store: string; readonly methods: PaymentMethods; readonly may: PaymentPermissions };
/** What this person may change: the outcome of sandbox charges, cards. */
type PaymentPermissions = { readonly sandboxOutcome: boolean; readonly cards: boolean };

function PrimaryMethod({ store, methods, may }: MethodProps) {
  const own = methods.payment_method;
  return (
    <section aria-label={t.payment_methods.payment_method}>
      <h3 className={styles.part}>{t.payment_methods.payment_method}</h3>
      {own === null ? <Alert color="yellow">{t.payment_methods.no_payment_method_add_one}</Alert> : <MethodStatus method={own} />}
      {may.sandboxOutcome && (
        <SandboxMethodForm
          store={store}
          path={paymentMethodPath(store)}
          label={t.payment_methods.each_charge}
          former={own}
          submit={t.payment_methods.save_and_pay_outstanding_invoices}
        />
      )}
      {may.cards && (
        <div className={styles.methodButtons}>
          <StripeCardButton
            store={store}
            path={paymentMethodPath(store)}
            setupPath={apiPath('/stores/{store}/payment-method/setup', { store })}
            returnParam="card"
            label={own === null ? t.payment_methods.add_a_card_with_stripe : t.payment_methods.replace_the_card_with_stripe}
          />
        </div>
      )}
    </section>
  );
}

function RemoveBackupButton({ store }: { readonly store: string }) {
  const client = useQueryClient();
  return (
    <ConfirmButton
      label={t.payment_methods.remove}
      subject={t.payment_methods.backup_payment_method}
      title={t.payment_methods.remove_the_backup_payment_method}
      confirm={t.payment_methods.remove_2}
      danger
      size="sm"
      run={async () => {
        await api.delete(backupMethodPath(store));
        await refresh(client, storePath(store));
      }}
    >
      <p>{t.payment_methods.declined_charges_will_then_only}</p>
    </ConfirmButton>
  );
}

function BackupMethod({ store, methods, may }: MethodProps) {
  const backup = methods.backup_payment_method;
  return (
    <section aria-label={t.payment_methods.backup_payment_method_2}>
      <h3 className={styles.part}>{t.payment_methods.backup_payment_method_2}</h3>
      {backup === null ? <p className={styles.muted}>{t.payment_methods.none_if_a_charge_is}</p> : <MethodStatus method={backup} />}
      {may.sandboxOutcome && (
        <SandboxMethodForm
          store={store}
          path={backupMethodPath(store)}
          label={t.payment_methods.each_charge_of_the_backup}
          former={backup}
          submit={t.payment_methods.save_as_backup}
        />
      )}
      <div className={styles.methodButtons}>
        {may.cards && (
          <StripeCardButton
            store={store}
            path={backupMethodPath(store)}
            setupPath={apiPath('/stores/{store}/backup-payment-method/setup', { store })}
            returnParam="backup_card"
            label={t.payment_methods.add_a_backup_card_with}
          />
        )}
        {backup !== null && (may.sandboxOutcome || may.cards) && <RemoveBackupButton store={store} />}
      </div>
    </section>
  );
}

const MethodStatus = ({ method: { provider, sandbox, since } }: { readonly method: NonNullable<PaymentMethods['payment_method']> }) => (
  <p className={styles.method}>
    {sandbox === null ? (
      <Chip label={provider} tone="good" meaning={t.payment_methods.a_payment_method_saved_with} />
    ) : (
      <Chip label={outcomeLabel(sandbox)} tone={sandbox === 'declined' ? 'bad' : 'good'} meaning={outcomeMeaning(sandbox)} />
    )}
    <span className={styles.muted}>{rich(t.payment_methods.since, { time: <Time at={since} /> })}</span>
  </p>
);

type MethodPath = '/stores/{store}/payment-method' | '/stores/{store}/backup-payment-method';

type MethodFormProps = {
  readonly store: string;
  readonly path: PathTo<MethodPath>;
  readonly label: string;
  readonly former: PaymentMethods['payment_method'];
  readonly submit: string;
};

function SandboxMethodForm({ store, path, label, former, submit }: MethodFormProps) {
  const client = useQueryClient();
  const [outcome, setOutcome] = useState(former?.sandbox ?? 'ok');
  return (
    <Form
      send={(values) => api.put(path, { sandbox: values.option<(typeof sandboxOutcomes)[number]>('sandbox') })}
      done={() => refresh(client, storePath(store))}
      submit={submit}
    >
      <SelectField
        name="sandbox"
        label={label}
        description={outcomeMeaning(outcome)}
        value={outcome}
        onChange={({ currentTarget }) => setOutcome(currentTarget.value)}
        data={sandboxOutcomes.map((value) => ({ value, label: outcomeLabel(value) }))}
      />
    </Form>
  );
}

type StripeCardButtonProps = {
  readonly store: string;
  readonly path: PathTo<MethodPath>;
  readonly setupPath: PathTo<`${MethodPath}/setup`>;
  /** The URL parameter with which Stripe returns the setup ID. */
  readonly returnParam: 'card' | 'backup_card';
  readonly label: string;
};

/** The card is entered on Stripe's page, which redirects back here; then the service asks Stripe for the card and saves it. */
function StripeCardButton({ store, path, setupPath, returnParam, label }: StripeCardButtonProps) {
  const { [returnParam]: setupId } = useSearch({ from: '/signed-in/stores/$store/billing' });
  const navigate = useNavigate({ from: '/stores/$store/billing' });
  const client = useQueryClient();
  const begin = useMutation({
    mutationFn: async () => {
      const { url } = await api.post(setupPath);
      location.assign(url);
    },
  });
  const save = useMutation({
    mutationFn: async () => {
      await api.put(path, { stripe: { setup_id: setupId ?? '' } });
      await navigate({ search: (now) => ({ ...now, [returnParam]: undefined }), replace: true });
      await refresh(client, storePath(store));
      toasts.show({ message: t.payment_methods.card_saved_outstanding_invoices_ar });
    },
  });
  const { mutate: saveCard } = save;
  // Runs once per return from Stripe; the button is for retries after Stripe did not answer.
  useEffect(() => {
    if (setupId !== undefined) saveCard();
  }, [setupId, saveCard]);
  return (
    <>
      <ErrorAlert error={begin.error ?? save.error} />
      {setupId !== undefined && (
        <Button loading={save.isPending} onClick={() => saveCard()}>
          {t.payment_methods.save_the_card}
        </Button>
      )}
      <Button variant="default" loading={begin.isPending} onClick={() => begin.mutate()}>
        {label}
      </Button>
    </>
  );
}
