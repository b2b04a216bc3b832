import { Button } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { RefusedOrder } from '../../api/api-schema.ts';
import { apiPath } from '../../api/operations.ts';
import { Chip } from '../../ui/chip.tsx';
import { TextLink } from '../../ui/links.tsx';
import { ListView, useList } from '../../ui/list.tsx';
import { EmptyState, Page, Section } from '../../ui/page.tsx';
import type { Column } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { useCreatorId } from './creator-api.ts';
import type { RefusedOrdersSearch } from './creator-search.ts';
import styles from './creator.module.css';

/** Orders with one of the creator's clicks that earn nothing, each with its reason. */
export function RefusedOrders() {
  const creator = useCreatorId();
  const search = useSearch({ from: '/signed-in/creator/refused-orders' });
  const navigate = useNavigate({ from: '/creator/refused-orders' });
  const list = useList<'/creators/{creator}/refused-orders', Pick<RefusedOrdersSearch, 'link'>>({
    search,
    navigate,
    path: apiPath('/creators/{creator}/refused-orders', { creator }),
    fields: [{ type: 'hidden', name: 'link' }],
  });
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
          search.link !== undefined && (
            <Button size="xs" variant="default" onClick={list.clearFilter}>
              Show all links
            </Button>
          )
        }
      >
        {search.link !== undefined && (
          <p className={styles.padded}>
            Only those of the link <span className="mono">{search.link}</span>.
          </p>
        )}
        <ListView
          list={list}
          caption="Refused orders"
          columns={columns}
          keyOf={({ id }) => id}
          empty={
            <EmptyState title="No refused orders">
              When a shop reports an order with a click of yours and it cannot count, it is here with the reason. What counts is under{' '}
              <TextLink to="/creator/sales">Sales</TextLink>.
            </EmptyState>
          }
        />
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
