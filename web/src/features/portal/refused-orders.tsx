import { Button } from '../../ui/button.tsx';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { RefusedOrder } from '../../../../sdk/src/api-schema.ts';
import { apiPath } from '../../api/operations.ts';
import { Chip } from '../../ui/chip.tsx';
import { TextLink } from '../../ui/links.tsx';
import { ListView, useList } from '../../ui/list.tsx';
import { EmptyState, Page, Section } from '../../ui/page.tsx';
import type { Column } from '../../ui/table.tsx';
import { formatDay, formatTime, Time } from '../../ui/time.tsx';
import { useCreatorId } from './creator-api.ts';
import type { RefusedOrdersSearch } from './creator-search.ts';
import styles from './creator.module.css';
import { localizeTimes } from '../../ui/localize-times.ts';
import { t } from './messages.ts';
import { rich } from '../../messages/rich-text.tsx';

/** Orders with a click or a code of the creator that earn them nothing, each with its reason. */
export function RefusedOrders() {
  const creator = useCreatorId();
  const search = useSearch({ from: '/signed-in/creator/refused-orders' });
  const navigate = useNavigate({ from: '/creator/refused-orders' });
  const list = useList<'/creators/{creator}/refused-orders', Pick<RefusedOrdersSearch, 'link'>>({
    search,
    navigate,
    path: apiPath('/creators/{creator}/refused-orders', { creator }),
    defaultSort: '-at',
    fields: [{ type: 'hidden', name: 'link' }],
  });
  return (
    <Page title={t.refused_orders.ineligible_orders} intro={t.refused_orders.orders_from_your_links_that}>
      <Section
        title={t.refused_orders.ineligible_orders}
        bare
        flush
        actions={
          search.link !== undefined && (
            <Button size="xs" variant="default" onClick={list.clearFilter}>
              {t.refused_orders.show_all_links}
            </Button>
          )
        }
      >
        {search.link !== undefined && (
          <p className={styles.padded}>
            {rich(t.refused_orders.showing_only_the_link, { span: <span className="mono">{search.link}</span> })}
          </p>
        )}
        <ListView
          list={list}
          caption={t.refused_orders.ineligible_orders}
          columns={columns}
          keyOf={({ id }) => id}
          empty={
            <EmptyState title={t.refused_orders.no_ineligible_orders}>
              {rich(t.refused_orders.if_an_order_from_your, { link: <TextLink to="/creator/sales" /> })}
            </EmptyState>
          }
        />
      </Section>
    </Page>
  );
}

/** A reason of a later version of the service has no text yet; the service explains it. */
const reasonTexts: Readonly<Record<string, string | undefined>> = t.ineligible_reasons;
const becauseTexts: Readonly<Record<string, string | undefined>> = t.ineligible_codes;

/** What was compared, in the language and the time zone of the page. Most orders are reported on their day, which the list shows. */
function factTexts({ at: reported, kind, facts }: RefusedOrder): readonly string[] {
  const { occurred_at: occurred, clicked_at: clicked, attribution_days: days, currency, rule, codes } = facts;
  const { ineligible_facts: texts } = t;
  const isDated = occurred !== null && (clicked !== null || formatDay(occurred) !== formatDay(reported));
  return [
    ...codes.map(({ code, because }) => texts.code({ code, because: becauseTexts[because] ?? '' })),
    rule && t.ineligible_rules[rule],
    clicked && texts.clicked({ at: formatTime(clicked) }),
    isDated && texts.occurred({ kind: t.refused_orders[kind], at: formatTime(occurred) }),
    days && texts.window({ days }),
    currency && texts.currency({ currency }),
  ].filter((text) => typeof text === 'string');
}

const columns: ReadonlyArray<Column<RefusedOrder>> = [
  { title: t.refused_orders.reported, sort: 'at', priority: true, cell: ({ at }) => <Time at={at} /> },
  {
    title: t.refused_orders.reason,
    priority: true,
    cell: (order) => (
      <>
        <div>{reasonTexts[order.reason] ?? localizeTimes(order.message)}</div>
        <div className={styles.facts}>
          {factTexts(order).map((text) => (
            <span key={text}>{text}</span>
          ))}
        </div>
        {order.was_recorded_later && (
          <Chip label={t.refused_orders.corrected} tone="good" meaning={t.refused_orders.the_store_corrected_the_order} />
        )}
      </>
    ),
  },
  {
    title: t.refused_orders.store,
    kind: 'name',
    priority: true,
    cell: ({ store_name: store, program_name: program }) => (
      <>
        <div>{store}</div>
        <div className={styles.muted}>{program}</div>
      </>
    ),
  },
  {
    title: t.refused_orders.link,
    kind: 'name',
    cell: ({ link_code: code, sub_id: sub }) => (
      <>
        <span className="mono">{code ?? t.refused_orders.unknown}</span>
        {sub !== null && <div className={styles.muted}>{t.refused_orders.sub_id({ sub })}</div>}
      </>
    ),
  },
  { title: t.refused_orders.type, cell: ({ kind }) => t.refused_orders[kind] },
];
