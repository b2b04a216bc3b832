import { Alert, Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQuery, useQueryClient, useMutation } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { api } from '../../api/client.ts';
import { QueryView } from '../../ui/query-view.tsx';
import type { Creator, PayoutMethod, PayoutMethodOptions } from '../../api/api-schema.ts';
import { apiPath, type PathTo, type RequestBody } from '../../api/operations.ts';
import { DescriptionList } from '../../ui/description-list.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { SelectField, TextField } from '../../ui/fields.tsx';
import { fieldError, Form } from '../../ui/form.tsx';
import { formatDollars, formatHundredths, parseHundredths } from '../../ui/format.ts';
import { Icon } from '../../ui/icons.tsx';
import { Section } from '../../ui/page.tsx';
import { refresh, apiQuery } from '../../ui/queries.ts';
import { LoadingSkeleton } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { payoutMethodQuery } from './creator-api.ts';
import styles from './creator.module.css';
import { t } from './messages.ts';

const sandboxOptions: ReadonlyArray<readonly [value: string, label: string]> = [
  ['ok', t.payout_method.works_every_payout_arrives],
  ['declined', t.payout_method.is_declined_every_payout_fails],
  ['timeout_then_ok', t.payout_method.answers_late_then_arrives],
  ['returned', t.payout_method.arrives_and_comes_back_later],
];

/** Refreshing the creator's path also refreshes everything that depends on the payout method. */
const creatorPath = ({ id }: Creator) => apiPath('/creators/{creator}', { creator: id });

export function PayoutMethodSection({ creator }: { readonly creator: Creator }) {
  const reply = useQuery(payoutMethodQuery(creator.id));
  if (reply.isPending) return <Section title={t.payout_method.how_you_are_paid} children={<LoadingSkeleton />} />;
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
    notifications.show({ message: t.payout_method.your_payout_method_is_set });
  };
  return (
    <Section title={t.payout_method.how_you_are_paid} intro={t.payout_method.you_get_an_email_about}>
      {creator.payout_method === null ? (
        <p style={{ marginTop: 0 }}>{t.payout_method.no_payout_method_yet_you}</p>
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
        submit={
          creator.payout_method?.came_back_at === null ? t.payout_method.change_the_payout_method : t.payout_method.save_the_payout_method
        }
        clears={!isSandbox}
      >
        {isSandbox ? (
          <SelectField
            name="sandbox"
            label={t.payout_method.in_the_sandbox_it}
            description={t.payout_method.no_real_money_moves_here}
            data={sandboxOptions.map(([value, label]) => ({ value, label }))}
            defaultValue={creator.payout_method?.sandbox ?? 'ok'}
          />
        ) : (
          <TextField
            name="manual.destination"
            label={t.payout_method.account}
            description={t.payout_method.such_as_an_iban_it}
            autoComplete="off"
            minLength={6}
            maxLength={140}
            pattern="(.*[\p{L}\p{N}]){4}.*"
            title={t.payout_method.with_four_letters_or_digits}
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
        <Alert variant="outline" color="red" icon={<Icon name="alert" />} mb="md" title={t.payout_method.a_payout_came_back}>
          {t.payout_method.nothing_more_is_sent_there}
        </Alert>
      )}
      <DescriptionList
        items={[
          [t.payout_method.now, sandbox === null ? accountText(provider, last4) : sandboxLabel(sandbox)],
          [t.payout_method.since, <Time key="s" at={since} dateOnly />],
          ...(cameBackAt === null ? [] : [[t.payout_method.came_back_on, <Time key="b" at={cameBackAt} dateOnly />] as const]),
          // There is no waiting period before the first earnings or for an account that is confirmed again.
          ...(cameBackAt !== null || usableFrom <= since
            ? []
            : [[t.payout_method.money_goes_there_from, <Time key="f" at={usableFrom} />] as const]),
        ]}
      />
    </div>
  );
}

const sandboxLabel = (word: string): string => sandboxOptions.find(([value]) => value === word)?.[1] ?? word;

const minimumCentsMax = 100_000_000;
const minimumErrorText = t.payout_method.is_an_amount_such_as({ minimumCentsMax: formatDollars(minimumCentsMax) });

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
    notifications.show({ message: t.payout_method.your_minimum_is_set });
  };
  return (
    <Section title={t.payout_method.from_how_much} intro={t.payout_method.wait_until_a_payout_reaches}>
      <Form send={(values) => send(values.text('minimum'))} done={done} submit={t.payout_method.save_the_minimum}>
        <TextField
          name="minimum"
          label={t.payout_method.minimum_in_usd}
          description={
            minimum === null
              ? t.payout_method.empty_the_usual_minimum
              : t.payout_method.now_usd_empty_the_usual({ minimum: formatDollars(minimum) })
          }
          inputMode="decimal"
          defaultValue={minimum === null ? '' : formatHundredths(minimum)}
          optional
        />
      </Form>
    </Section>
  );
}

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
      notifications.show({ message: t.payout_method.you_are_paid_through_stripe });
    },
  });
  return (
    <div className={styles.stripe}>
      <ErrorAlert error={finish.error} />
      {stripe === 'back' && (
        <Button loading={finish.isPending} onClick={() => finish.mutate()}>
          {t.payout_method.be_paid_to_this_stripe}
        </Button>
      )}
      <QueryView query={found} lines={1}>
        {(data) => <CountryForm path={path} reply={data} />}
      </QueryView>
    </div>
  );
}

const names = new Intl.DisplayNames('en', { type: 'region' });
const countryName = (country: string): string => names.of(country) ?? country;

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
    .toSorted((one, other) => one.label.localeCompare(other.label, 'en'));
  const isOld = begun && country === null;
  return (
    <Form
      send={(values) => api.post(path, values.text('country') === '' ? {} : { country: values.text('country') })}
      done={({ url }) => location.assign(url)}
      submit={begun ? t.payout_method.open_stripes_form_again : t.payout_method.be_paid_through_stripe}
    >
      <SelectField
        name="country"
        label={t.payout_method.country}
        description={t.payout_method.where_you_live_or_where}
        defaultValue={country ?? ''}
        optional={isOld}
        data={[{ value: '', label: isOld ? t.payout_method.as_in_your_stripe_account : t.payout_method.choose_a_country }, ...options]}
      />
    </Form>
  );
}

function accountText(provider: string, last4: string | null): string {
  const name = provider === 'manual' ? t.payout_method.by_hand_to_an_account : provider;
  return last4 === null ? name : t.payout_method.that_ends_in({ name, last4 });
}
