import { toasts } from '../../ui/toasts.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { QueryView } from '../../ui/query-view.tsx';
import type { PaidYear, TaxDetails } from '../../../../sdk/src/api-schema.ts';
import { formatDollars } from '../../ui/format.ts';
import { CountryField } from '../../ui/country-field.tsx';
import { TextField } from '../../ui/fields.tsx';
import { Form, type Values } from '../../ui/form.tsx';
import { EmptyState, Section } from '../../ui/page.tsx';
import { apiQuery, refresh } from '../../ui/queries.ts';
import { Table, type Column } from '../../ui/table.tsx';
import { formatDay } from '../../ui/time.tsx';
import { paidYearsQuery, taxPath } from './creator-api.ts';
import { t } from './messages.ts';

/** The tax details that payers report, and the yearly totals that creators report. */
export function TaxDetailsSection({ creator }: { readonly creator: string }) {
  const found = useQuery(apiQuery(taxPath(creator)));
  return (
    <Section title={t.tax_details.tax_details} intro={t.tax_details.used_for_legally_required_tax}>
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
    toasts.show({ message: t.tax_details.tax_details_saved });
  };
  return (
    <Form send={send} done={done} submit={t.tax_details.save_tax_details} clears>
      <CountryField
        key={details?.changed_at}
        name="country"
        label={t.tax_details.country}
        description={t.tax_details.where_you_pay_taxes_type}
        defaultValue={details?.country}
      />
      <TextField
        name="legal_name"
        label={t.tax_details.legal_name}
        autoComplete="name"
        maxLength={200}
        defaultValue={details?.legal_name ?? ''}
      />
      <TextField
        name="tax_id"
        label={t.tax_details.tax_id}
        description={
          details === null
            ? t.tax_details.as_issued_by_your_tax
            : t.tax_details.on_file_ending_in_updated({ taxIdLast4: details.tax_id_last4, changedAt: formatDay(details.changed_at) })
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
    <Section title={t.tax_details.payouts_by_year} intro={t.tax_details.by_the_date_when_each} flush>
      <QueryView query={years} lines={1} padded />
      {years.isSuccess &&
        (years.data.data.length === 0 ? (
          <EmptyState title={t.tax_details.no_payouts_yet}>{t.tax_details.a_total_for_each_year}</EmptyState>
        ) : (
          <Table caption={t.tax_details.payouts_by_year} columns={columns} rows={years.data.data} keyOf={({ year }) => String(year)} />
        ))}
    </Section>
  );
}

const columns: ReadonlyArray<Column<PaidYear>> = [
  { title: t.tax_details.year, cell: ({ year }) => year },
  { title: t.tax_details.payouts, kind: 'number', cell: ({ payouts }) => payouts },
  { title: t.tax_details.paid_out_usd, kind: 'number', cell: ({ paid_cents: cents }) => <strong>{formatDollars(cents)}</strong> },
];
