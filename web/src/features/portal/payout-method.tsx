import { language } from '../../messages/messages.ts';
import { countryNamesIn } from '../../ui/countries.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { toasts } from '../../ui/toasts.ts';
import { useQuery, useQueryClient, useMutation } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { api } from '../../api/client.ts';
import { QueryView } from '../../ui/query-view.tsx';
import type { Creator, PayoutMethod, PayoutMethodOptions } from '../../../../sdk/src/api-schema.ts';
import { apiPath, type PathTo, type RequestBody } from '../../api/operations.ts';
import { DescriptionList } from '../../ui/description-list.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { SelectField, TextField } from '../../ui/fields.tsx';
import { fieldError, Form } from '../../ui/form.tsx';
import { formatDollars, formatHundredths, parseHundredths } from '../../ui/format.ts';
import { Section } from '../../ui/page.tsx';
import { refresh, apiQuery } from '../../ui/queries.ts';
import { LoadingSkeleton } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { payoutMethodQuery } from './creator-api.ts';
import styles from './creator.module.css';
import { t } from './messages.ts';

const sandboxOptions: ReadonlyArray<readonly [value: string, label: string]> = [
  ['ok', t.payout_method.payouts_succeed],
  ['declined', t.payout_method.payouts_fail],
  ['timeout_then_ok', t.payout_method.payouts_time_out_then_succeed],
  ['returned', t.payout_method.payouts_succeed_and_are_later],
];

/** Refreshing the creator's path also refreshes everything that depends on the payout method. */
const creatorPath = ({ id }: Creator) => apiPath('/creators/{creator}', { creator: id });

export function PayoutMethodSection({ creator }: { readonly creator: Creator }) {
  const reply = useQuery(payoutMethodQuery(creator.id));
  if (reply.isPending) return <Section title={t.payout_method.payout_method} children={<LoadingSkeleton />} />;
  if (reply.isError) return <ErrorAlert error={reply.error} onRetry={() => void reply.refetch()} />;
  return <MethodForm creator={creator} options={reply.data.options} />;
}

type MethodFormProps = { readonly creator: Creator; readonly options: PayoutMethodOptions['options'] };

type SandboxPayout = NonNullable<RequestBody<'/creators/{creator}/payout-method', 'put'>['sandbox']>;

/** Shows only the payout methods this installation supports. */
function MethodForm({ creator, options }: MethodFormProps) {
  const client = useQueryClient();
  const isSandbox = options.includes('sandbox');
  const done = async () => {
    await refresh(client, creatorPath(creator));
    toasts.show({ message: t.payout_method.payout_method_saved });
  };
  return (
    <Section title={t.payout_method.payout_method} intro={t.payout_method.we_email_you_about_every}>
      {creator.payout_method === null ? (
        <p style={{ marginTop: 0 }}>{t.payout_method.add_a_payout_method_to}</p>
      ) : (
        <MethodFacts method={creator.payout_method} />
      )}
      {options.includes('stripe') && <StripeAccount creator={creator.id} />}
      <Form
        send={(values) =>
          api.put(
            apiPath('/creators/{creator}/payout-method', { creator: creator.id }),
            isSandbox
              ? { sandbox: values.option<SandboxPayout>('sandbox') }
              : { manual: { destination: values.text('manual.destination') } },
          )
        }
        done={done}
        submit={creator.payout_method?.came_back_at === null ? t.payout_method.change_payout_method : t.payout_method.save_payout_method}
        clears={!isSandbox}
      >
        {isSandbox ? (
          <SelectField
            name="sandbox"
            label={t.payout_method.sandbox_behavior}
            description={t.payout_method.the_sandbox_doesnt_move_real}
            data={sandboxOptions.map(([value, label]) => ({ value, label }))}
            defaultValue={creator.payout_method?.sandbox ?? 'ok'}
          />
        ) : (
          <TextField
            name="manual.destination"
            label={t.payout_method.account}
            description={t.payout_method.for_example_an_iban_its}
            autoComplete="off"
            minLength={6}
            maxLength={140}
            pattern="(.*[\p{L}\p{N}]){4}.*"
            title={t.payout_method.enter_at_least_four_letters}
          />
        )}
      </Form>
    </Section>
  );
}

function MethodFacts({ method }: { readonly method: PayoutMethod }) {
  const { provider, sandbox, last4, since, usable_from: usableFrom, came_back_at: cameBackAt } = method;
  return (
    <div style={{ marginBottom: 16 }}>
      {cameBackAt !== null && (
        <Alert color="red" title={t.payout_method.your_bank_returned_a_payout}>
          {t.payout_method.payouts_are_paused_until_you}
        </Alert>
      )}
      <DescriptionList
        items={[
          [t.payout_method.current_method, sandbox === null ? accountText(provider, last4) : sandboxLabel(sandbox)],
          [t.payout_method.since, <Time key="s" at={since} dateOnly />],
          ...(cameBackAt === null ? [] : [[t.payout_method.returned_on, <Time key="b" at={cameBackAt} dateOnly />] as const]),
          // There is no waiting period before the first earnings or for an account that is confirmed again.
          ...(cameBackAt !== null || usableFrom <= since
            ? []
            : [[t.payout_method.payouts_start, <Time key="f" at={usableFrom} />] as const]),
        ]}
      />
    </div>
  );
}

const sandboxLabel = (word: string): string => sandboxOptions.find(([value]) => value === word)?.[1] ?? word;

const minimumCentsMax = 100_000_000;
const minimumErrorText = t.payout_method.must_be_an_amount_such({ minimumCentsMax: formatDollars(minimumCentsMax) });

export function PayoutMinimumSection({ creator }: { readonly creator: Creator }) {
  const client = useQueryClient();
  const minimum = creator.payout_minimum_cents;
  const send = async (typed: string) => {
    const cents = typed === '' ? null : parseHundredths(typed);
    if (typed !== '' && (cents === null || cents > minimumCentsMax)) throw fieldError('minimum', minimumErrorText);
    await api.put(apiPath('/creators/{creator}/payout-minimum', { creator: creator.id }), { minimum_cents: cents });
  };
  const done = async () => {
    await refresh(client, creatorPath(creator));
    toasts.show({ message: t.payout_method.payout_minimum_saved });
  };
  return (
    <Section title={t.payout_method.payout_minimum} intro={t.payout_method.set_a_higher_minimum_to}>
      <Form send={(values) => send(values.text('minimum'))} done={done} submit={t.payout_method.save_minimum}>
        <TextField
          name="minimum"
          label={t.payout_method.minimum_usd}
          description={
            minimum === null ? t.payout_method.leave_empty_to_use_the : t.payout_method.currently_leave_empty_to_use({ minimum })
          }
          inputMode="decimal"
          defaultValue={minimum === null ? '' : formatHundredths(minimum)}
          optional
        />
      </Form>
    </Section>
  );
}

const countryName = countryNamesIn(language);

type ConnectResponse = { readonly countries: readonly string[]; readonly country: string | null; readonly begun: boolean };

/** Stripe verifies creators on its own pages and redirects back here; another click makes the account the payout method. */
function StripeAccount({ creator }: { readonly creator: string }) {
  const { stripe } = useSearch({ from: '/signed-in/creator/settings' });
  const client = useQueryClient();
  const path = apiPath('/creators/{creator}/payout-method/connect', { creator });
  const found = useQuery(apiQuery(path));
  const finish = useMutation({
    mutationFn: async () => {
      await api.put(path, {});
      await refresh(client, apiPath('/creators/{creator}', { creator }));
      toasts.show({ message: t.payout_method.stripe_is_now_your_payout });
    },
  });
  return (
    <div className={styles.stripe}>
      <ErrorAlert error={finish.error} />
      {stripe === 'back' && (
        <Button loading={finish.isPending} onClick={() => finish.mutate()}>
          {t.payout_method.use_this_stripe_account}
        </Button>
      )}
      <QueryView query={found} lines={1}>
        {(data) => <CountryForm path={path} reply={data} />}
      </QueryView>
    </div>
  );
}

/** The country comes first, because a Stripe account cannot change it. */
function CountryForm({
  path,
  reply: { countries, country, begun },
}: {
  readonly path: PathTo<'/creators/{creator}/payout-method/connect'>;
  readonly reply: ConnectResponse;
}) {
  const options = countries
    .map((value) => ({ value, label: countryName(value) }))
    .toSorted((one, other) => one.label.localeCompare(other.label, language));
  const isOld = begun && country === null;
  return (
    <Form
      send={(values) => api.post(path, values.text('country') === '' ? {} : { country: values.text('country') })}
      done={({ url }) => location.assign(url)}
      submit={begun ? t.payout_method.continue_in_stripe : t.payout_method.set_up_payouts_with_stripe}
    >
      <SelectField
        name="country"
        label={t.payout_method.country}
        description={t.payout_method.where_you_live_or_where}
        defaultValue={country ?? ''}
        optional={isOld}
        data={[{ value: '', label: isOld ? t.payout_method.same_as_your_stripe_account : t.payout_method.choose_a_country }, ...options]}
      />
    </Form>
  );
}

function accountText(provider: string, last4: string | null): string {
  const name = provider === 'manual' ? t.payout_method.bank_transfer : provider;
  return last4 === null ? name : t.payout_method.ending_in({ name, last4 });
}
