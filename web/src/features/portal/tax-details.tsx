import { notifications } from '@mantine/notifications';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { QueryView } from '../../ui/query-view.tsx';
import type { PaidYear, TaxDetails } from '../../api/api-schema.ts';
import { formatDollars } from '../../ui/format.ts';
import { CountryField } from '../../ui/country-field.tsx';
import { TextField } from '../../ui/fields.tsx';
import { Form, type Values } from '../../ui/form.tsx';
import { EmptyState, Section } from '../../ui/page.tsx';
import { apiQuery, refresh } from '../../ui/queries.ts';
import { Table, type Column } from '../../ui/table.tsx';
import { formatDay } from '../../ui/time.tsx';
import { paidYearsQuery, taxPath } from './creator-api.ts';

/** The tax details that payers report, and the yearly totals that creators report. */
export function TaxDetailsSection({ creator }: { readonly creator: string }) {
  const found = useQuery(apiQuery(taxPath(creator)));
  return (
    <Section
      title="Tax details"
      intro="For reports that the law asks for. Your tax ID is kept sealed, and pages show its end only. An operator who has to report it can open it; a log says so."
    >
      <QueryView query={found}>{(data) => <TaxForm creator={creator} details={data.tax_details} />}</QueryView>
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
            : `The one that ends in ${details.tax_id_last4}, as of ${formatDay(details.changed_at)}, stays unless you type another.`
        }
        autoComplete="off"
        minLength={4}
        maxLength={40}
        optional={details !== null}
      />
    </Form>
  );
}

/** The creator's own yearly totals. */
export function PaidYears({ creator }: { readonly creator: string }) {
  const years = useQuery(paidYearsQuery(creator));
  return (
    <Section title="Paid to you, by year" intro="By the day on which a payout was sent, in UTC." flush>
      <QueryView query={years} lines={1} padded />
      {years.isSuccess &&
        (years.data.data.length === 0 ? (
          <EmptyState title="Nothing yet">Each year gets its line with its first payout.</EmptyState>
        ) : (
          <Table caption="Paid to you, by year" columns={columns} rows={years.data.data} keyOf={({ year }) => String(year)} />
        ))}
    </Section>
  );
}

const columns: ReadonlyArray<Column<PaidYear>> = [
  { title: 'Year', cell: ({ year }) => year },
  { title: 'Payouts', kind: 'number', cell: ({ payouts }) => payouts },
  { title: 'Paid, USD', kind: 'number', cell: ({ paid_cents: cents }) => <strong>{formatDollars(cents)}</strong> },
];
