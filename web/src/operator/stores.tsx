import { useHasRows } from '../parts/has-rows.ts';
import { ButtonLink, TextLink } from '../parts/links.tsx';
import { Empty, Page, Section } from '../parts/page.tsx';
import { PagedTable, type Column } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { IntegrationChip, StoreChip, TrackingChip } from '../merchant/store-chips.tsx';
import { myStores, type Store } from '../merchant/stores-api.ts';

export function OperatorStores() {
  const hasRows = useHasRows(myStores);
  return (
    <Page
      title="Stores"
      intro="All stores of this installation. You may open each as if it were yours, or look at it as its people do."
      actions={hasRows && <ButtonLink to="/new-store">Create a store</ButtonLink>}
    >
      <Section title="All stores" bare flush>
        <PagedTable
          caption="Stores"
          list={myStores}
          keyOf={({ id }) => id}
          columns={columns}
          empty={
            <Empty title="No store yet" action={<ButtonLink to="/new-store">Create the first store</ButtonLink>}>
              Create one, or let merchants sign up: whoever makes an account can open a store of their own.
            </Empty>
          }
        />
      </Section>
    </Page>
  );
}

const columns: ReadonlyArray<Column<Store>> = [
  {
    title: 'Name',
    cell: ({ id, name }) => (
      <TextLink to="/operator/stores/$shop" params={{ shop: id }} fw={600}>
        {name}
      </TextLink>
    ),
  },
  { title: 'Site', cell: ({ site_url: site }) => new URL(site).host },
  { title: 'Store', cell: ({ status }) => <StoreChip status={status} /> },
  { title: 'Integration', cell: ({ integration }) => <IntegrationChip integration={integration} /> },
  { title: 'Tracking', cell: ({ tracking_on: isOn }) => <TrackingChip isOn={isOn} /> },
  { title: 'Created', cell: ({ created_at: at }) => <Time at={at} dateOnly /> },
];
