import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { RefusedOrder } from '../../api/api-schema.ts';
import { apiPath } from '../../api/operations.ts';
import { Chip } from '../../ui/chip.tsx';
import { TextLink } from '../../ui/links.tsx';
import { EmptyState, Page, Section } from '../../ui/page.tsx';
import { Pager } from '../../ui/pager.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { apiQuery } from '../../ui/queries.ts';
import type { PagePosition } from '../../ui/search-params.ts';
import { Table, LoadingSkeleton, type Column } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { Button } from '@mantine/core';
import { useCreatorId } from './creator-api.ts';
import styles from './creator.module.css';

const rowsPerPage = 50;

/** Orders with one of the creator's clicks that earn nothing, each with its reason. */
export function RefusedOrders() {
  const creator = useCreatorId();
  const { cursor, back, link } = useSearch({ from: '/signed-in/creator/refused-orders' });
  const navigate = useNavigate({ from: '/creator/refused-orders' });
  const path = apiPath('/creators/{creator}/refused-orders', { creator }, { link, limit: rowsPerPage, cursor });
  const page = useQuery({ ...apiQuery(path), placeholderData: keepPreviousData });
  const rows = page.data?.data ?? [];
  const position: PagePosition = { ...(cursor !== undefined && { cursor }), ...(back !== undefined && { back }) };
  return (
    <Page
      title="Refused orders"
      intro="Orders that a shop reported with a click of yours, and that earn nothing. Test orders are not listed. Rows are kept for 400 days."
    >
      <Section
        title="Refused orders"
        bare
        flush
        actions={
          link !== undefined && (
            <Button size="xs" variant="default" onClick={() => void navigate({ search: {} })}>
              Show all links
            </Button>
          )
        }
      >
        {link !== undefined && (
          <p className={styles.padded}>
            Only those of the link <span className="mono">{link}</span>.
          </p>
        )}
        {page.isPending && <LoadingSkeleton lines={6} />}
        {page.isError && (
          <div className={styles.padded}>
            <ErrorAlert error={page.error} onRetry={() => void page.refetch()} />
          </div>
        )}
        {page.isSuccess && rows.length === 0 && (
          <EmptyState title="No refused orders">
            When a shop reports an order with a click of yours and it cannot count, it is here with the reason. What counts is under{' '}
            <TextLink to="/creator/sales">Sales</TextLink>.
          </EmptyState>
        )}
        {rows.length > 0 && <Table caption="Refused orders" columns={columns} rows={rows} keyOf={({ id }) => id} />}
        {page.isSuccess && (
          <Pager
            position={position}
            next={page.data.next_cursor}
            go={(target) => void navigate({ search: { ...(link !== undefined && { link }), ...target } })}
          />
        )}
      </Section>
    </Page>
  );
}

const columns: ReadonlyArray<Column<RefusedOrder>> = [
  { title: 'Reported', cell: ({ at }) => <Time at={at} /> },
  {
    title: 'Why it earns nothing',
    cell: ({ message, reason, was_recorded_later: isRecorded }) => (
      <>
        <div>{message}</div>
        <div className={styles.muted}>
          <span className="mono">{reason}</span>
        </div>
        {isRecorded && (
          <Chip label="Recorded later" tone="good" meaning="The shop corrected the order and sent it again. It is among your sales." />
        )}
      </>
    ),
  },
  {
    title: 'Shop',
    cell: ({ store_name: store, program_name: program }) => (
      <>
        <div>{store}</div>
        <div className={styles.muted}>{program}</div>
      </>
    ),
  },
  {
    title: 'Link',
    cell: ({ link_code: code, sub_id: sub }) => (
      <>
        <span className="mono">{code ?? 'unknown'}</span>
        {sub !== null && <div className={styles.muted}>sub: {sub}</div>}
      </>
    ),
  },
  { title: 'Kind', cell: ({ kind }) => (kind === 'order' ? 'Order' : 'Subscription') },
];
