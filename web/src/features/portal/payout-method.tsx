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

const sandboxOptions: ReadonlyArray<readonly [value: string, label: string]> = [
  ['ok', 'Works: every payout arrives'],
  ['declined', 'Is declined: every payout fails'],
  ['timeout_then_ok', 'Answers late, then arrives'],
  ['returned', 'Arrives, and comes back later'],
];

/** Refreshing the creator's path also refreshes everything that depends on the payout method. */
const creatorPath = ({ id }: Creator) => apiPath('/creators/{creator}', { creator: id });

export function PayoutMethodSection({ creator }: { readonly creator: Creator }) {
  const reply = useQuery(payoutMethodQuery(creator.id));
  if (reply.isPending) return <Section title="How you are paid" children={<LoadingSkeleton />} />;
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
    notifications.show({ message: 'Your payout method is set.' });
  };
  return (
    <Section
      title="How you are paid"
      intro="You get an email about every change, and money goes to a new account 72 hours later. Once you have earned something, that is so for the first account too. Saving asks for your password, unless you entered it within the last ten minutes."
    >
      {creator.payout_method === null ? (
        <p style={{ marginTop: 0 }}>No payout method yet. You need one before the first payout.</p>
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
        submit={creator.payout_method?.came_back_at === null ? 'Change the payout method' : 'Save the payout method'}
        clears={!isSandbox}
      >
        {isSandbox ? (
          <SelectField
            name="sandbox"
            label="In the sandbox it"
            description="No real money moves here."
            data={sandboxOptions.map(([value, label]) => ({ value, label }))}
            defaultValue={creator.payout_method?.sandbox ?? 'ok'}
          />
        ) : (
          <TextField
            name="manual.destination"
            label="Account"
            description="Such as an IBAN. It is kept sealed; only its end is shown."
            autoComplete="off"
            minLength={6}
            maxLength={140}
            pattern="(.*[\p{L}\p{N}]){4}.*"
            title="With four letters or digits at least."
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
        <Alert variant="outline" color="red" icon={<Icon name="alert" />} mb="md" title="A payout came back">
          Nothing more is sent there until you say once more where to pay. Is it right as it is? Save the same again, and nothing waits.
          Else give another.
        </Alert>
      )}
      <DescriptionList
        items={[
          [
            'Now',
            sandbox === null
              ? `${provider === 'manual' ? 'By hand, to an account' : provider}${last4 === null ? '' : ` that ends in ${last4}`}`
              : sandboxLabel(sandbox),
          ],
          ['Since', <Time key="s" at={since} dateOnly />],
          ...(cameBackAt === null ? [] : [['Came back on', <Time key="b" at={cameBackAt} dateOnly />] as const]),
          // There is no waiting period before the first earnings or for an account that is confirmed again.
          ...(cameBackAt !== null || usableFrom <= since ? [] : [['Money goes there from', <Time key="f" at={usableFrom} />] as const]),
        ]}
      />
    </div>
  );
}

const sandboxLabel = (word: string): string => sandboxOptions.find(([value]) => value === word)?.[1] ?? word;

const minimumCentsMax = 100_000_000;
const minimumErrorText = `is an amount such as 100 or 99.50, at most ${formatDollars(minimumCentsMax)}`;

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
    notifications.show({ message: 'Your minimum is set.' });
  };
  return (
    <Section
      title="From how much"
      intro="Wait until a payout reaches more than the usual minimum, so that fewer of them come. On 15 December all above a dollar is paid."
    >
      <Form send={(values) => send(values.text('minimum'))} done={done} submit="Save the minimum">
        <TextField
          name="minimum"
          label="Minimum in USD"
          description={minimum === null ? 'Empty: the usual minimum.' : `Now ${formatDollars(minimum)} USD. Empty: the usual minimum.`}
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
      notifications.show({ message: 'You are paid through Stripe.' });
    },
  });
  return (
    <div className={styles.stripe}>
      <ErrorAlert error={finish.error} />
      {stripe === 'back' && (
        <Button loading={finish.isPending} onClick={() => finish.mutate()}>
          Be paid to this Stripe account
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
      submit={begun ? 'Open Stripe’s form again' : 'Be paid through Stripe'}
    >
      <SelectField
        name="country"
        label="Country"
        description="Where you live, or where your business is registered. Another country begins another Stripe account."
        defaultValue={country ?? ''}
        optional={isOld}
        data={[{ value: '', label: isOld ? 'As in your Stripe account' : 'Choose a country' }, ...options]}
      />
    </Form>
  );
}
