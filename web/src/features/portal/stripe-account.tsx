import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { api } from '../../api/client.ts';
import { useAction } from '../../ui/dialog.tsx';
import { SelectField } from '../../ui/fields.tsx';
import { Form } from '../../ui/form.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { apiQuery, refresh } from '../../ui/queries.ts';
import { LoadingSkeleton } from '../../ui/table.tsx';
import styles from './creator.module.css';

type ConnectResponse = { readonly countries: readonly string[]; readonly country: string | null; readonly begun: boolean };

/** Stripe verifies creators on its own pages and redirects back here; another click makes the account the payout method. */
export function StripeAccount({ creator }: { readonly creator: string }) {
  const { stripe } = useSearch({ from: '/signed-in/creator/settings' });
  const client = useQueryClient();
  const path = `/creators/${creator}/payout-method/connect`;
  const found = useQuery(apiQuery<ConnectResponse>(path));
  const finish = useAction(async () => {
    await api.put(path, {});
    await refresh(client, `/creators/${creator}`);
    notifications.show({ message: 'You are paid through Stripe.' });
  });
  return (
    <div className={styles.stripe}>
      {finish.problem && <ErrorAlert error={finish.problem} />}
      {stripe === 'back' && (
        <Button loading={finish.running} onClick={finish.run}>
          Be paid to this Stripe account
        </Button>
      )}
      {found.isPending && <LoadingSkeleton lines={1} />}
      {found.isError && <ErrorAlert error={found.error} onRetry={() => void found.refetch()} />}
      {found.isSuccess && <CountryForm path={path} reply={found.data} />}
    </div>
  );
}

const names = new Intl.DisplayNames('en', { type: 'region' });
const countryName = (country: string): string => names.of(country) ?? country;

/** The country comes first, because a Stripe account cannot change it. */
function CountryForm({ path, reply: { countries, country, begun } }: { readonly path: string; readonly reply: ConnectResponse }) {
  const options = countries
    .map((value) => ({ value, label: countryName(value) }))
    .toSorted((one, other) => one.label.localeCompare(other.label, 'en'));
  const isOld = begun && country === null;
  return (
    <Form
      send={(values) => api.post<{ readonly url: string }>(path, values.text('country') === '' ? {} : { country: values.text('country') })}
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
