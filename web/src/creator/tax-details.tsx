import { notifications } from '@mantine/notifications';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../api.ts';
import { dollarsOf } from '../parts/amounts.ts';
import { CountryField } from '../parts/country-field.tsx';
import { TextField } from '../parts/fields.tsx';
import { Form, type Values } from '../parts/form.tsx';
import { Empty, Section } from '../parts/page.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { reading, refresh } from '../parts/reading.ts';
import { Table, Waiting, type Column } from '../parts/table.tsx';
import { localDay } from '../parts/time.tsx';
import { paidYearsReading, taxPath, type PaidYear, type TaxDetails } from './creator-api.ts';
import styles from './creator.module.css';

type Reply = { readonly tax_details: TaxDetails | null };

/** What whoever pays has to know, and what the creator has to tell: the totals of each year. */
export function TaxDetailsPart({ creator }: { readonly creator: string }) {
  const found = useQuery(reading<Reply>(taxPath(creator)));
  return (
    <Section
      title="Tax details"
      intro="For reports that the law asks for. Your tax ID is kept sealed, and pages show its end only. An operator who has to report it can open it; a log says so."
    >
      {found.isPending && <Waiting />}
      {found.isError && <ProblemNote problem={found.error} onRetry={() => void found.refetch()} />}
      {found.isSuccess && <TaxForm creator={creator} details={found.data.tax_details} />}
    </Section>
  );
}

function TaxForm({ creator, details }: { readonly creator: string; readonly details: TaxDetails | null }) {
  const client = useQueryClient();
  const send = (values: Values) =>
    api.put(taxPath(creator), {
      country: values.text('country'),
      legal_name: values.text('legal_name'),
      ...(values.text('tax_id') !== '' && { tax_id: values.text('tax_id') }),
    });
  const done = async () => {
    await refresh(client, taxPath(creator));
    notifications.show({ message: 'Your tax details are kept.' });
  };
  return (
    <Form send={send} done={done} submit="Save the tax details" clears>
      <CountryField
        key={details?.changed_at}
        name="country"
        label="Country"
        description="Where you pay taxes. Type to search."
        defaultValue={details?.country}
      />
      <TextField name="legal_name" label="Legal name" autoComplete="name" maxLength={200} defaultValue={details?.legal_name ?? ''} />
      <TextField
        name="tax_id"
        label="Tax ID"
        description={
          details === null
            ? 'As your tax office writes it.'
            : `The one that ends in ${details.tax_id_last4}, as of ${localDay(details.changed_at)}, stays unless you type another.`
        }
        autoComplete="off"
        minLength={4}
        maxLength={40}
        optional={details !== null}
      />
    </Form>
  );
}

/** What the creator has to tell by themselves. */
export function PaidYears({ creator }: { readonly creator: string }) {
  const years = useQuery(paidYearsReading(creator));
  return (
    <Section title="Paid to you, by year" intro="By the day on which a payout was sent, in UTC." flush>
      {years.isPending && <Waiting lines={1} />}
      {years.isError && (
        <div className={styles.padded}>
          <ProblemNote problem={years.error} onRetry={() => void years.refetch()} />
        </div>
      )}
      {years.isSuccess &&
        (years.data.data.length === 0 ? (
          <Empty title="Nothing yet">Each year gets its line with its first payout.</Empty>
        ) : (
          <Table caption="Paid to you, by year" columns={columns} rows={years.data.data} keyOf={({ year }) => String(year)} />
        ))}
    </Section>
  );
}

const columns: ReadonlyArray<Column<PaidYear>> = [
  { title: 'Year', cell: ({ year }) => year },
  { title: 'Payouts', kind: 'number', cell: ({ payouts }) => payouts },
  { title: 'Paid, USD', kind: 'number', cell: ({ paid_cents: cents }) => <strong>{dollarsOf(cents)}</strong> },
];
