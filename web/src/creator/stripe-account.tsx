import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { api } from '../api.ts';
import { useAction } from '../parts/dialog.tsx';
import { SelectField } from '../parts/fields.tsx';
import { Form } from '../parts/form.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { reading, refresh } from '../parts/reading.ts';
import { Waiting } from '../parts/table.tsx';
import styles from './creator.module.css';

type Reply = { readonly countries: readonly string[]; readonly country: string | null; readonly begun: boolean };

/** Stripe asks creators who they are on its own pages, and leads back here; then one more press makes the account the payout method. */
export function StripeAccount({ creator }: { readonly creator: string }) {
  const { stripe } = useSearch({ from: '/inside/creator/settings' });
  const client = useQueryClient();
  const path = `/creators/${creator}/payout-method/connect`;
  const found = useQuery(reading<Reply>(path));
  const finish = useAction(async () => {
    await api.put(path, {});
    await refresh(client, `/creators/${creator}`);
    notifications.show({ message: 'You are paid through Stripe.' });
  });
  return (
    <div className={styles.stripe}>
      {finish.problem && <ProblemNote problem={finish.problem} />}
      {stripe === 'back' && (
        <Button loading={finish.running} onClick={finish.run}>
          Be paid to this Stripe account
        </Button>
      )}
      {found.isPending && <Waiting lines={1} />}
      {found.isError && <ProblemNote problem={found.error} onRetry={() => void found.refetch()} />}
      {found.isSuccess && <CountryForm path={path} reply={found.data} />}
    </div>
  );
}

const names = new Intl.DisplayNames('en', { type: 'region' });
const nameOf = (country: string): string => names.of(country) ?? country;

/** The country comes first: an account at Stripe is made in one, and keeps it. */
function CountryForm({ path, reply: { countries, country, begun } }: { readonly path: string; readonly reply: Reply }) {
  const options = countries
    .map((value) => ({ value, label: nameOf(value) }))
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
