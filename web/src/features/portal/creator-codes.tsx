import type { OwnDiscountCode } from '../../../../sdk/src/api-schema.ts';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { apiPath } from '../../api/operations.ts';
import { formats } from '../../messages/messages.ts';
import { rich } from '../../messages/rich-text.tsx';
import { useNow } from '../../session/use-now.ts';
import { StatusChip, type StatusTexts } from '../../ui/chip.tsx';
import { CopyableValue } from '../../ui/copy.tsx';
import { formatDollars } from '../../ui/format.ts';
import { ListView, useList } from '../../ui/list.tsx';
import { EmptyState, Page, Section } from '../../ui/page.tsx';
import type { Column } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { codeStateOf, type CodeState } from '../codes/codes-api.ts';
import { useCreatorId } from './creator-api.ts';
import styles from './creator.module.css';
import { t } from './messages.ts';

/** The creator's discount codes in all programs, with their results. */
export function CreatorCodes() {
  const creator = useCreatorId();
  const now = useNow();
  const list = useList<'/creators/{creator}/codes', object>({
    search: useSearch({ from: '/signed-in/creator/codes' }),
    navigate: useNavigate({ from: '/creator/codes' }),
    path: apiPath('/creators/{creator}/codes', { creator }),
    defaultSort: '-created_at',
    fields: [],
  });
  return (
    <Page title={t.creator_codes.discount_codes} intro={t.creator_codes.intro}>
      <Section title={t.creator_codes.your_codes} intro={t.creator_codes.amounts} flush>
        <ListView
          list={list}
          caption={t.creator_codes.your_codes}
          keyOf={({ id }) => id}
          columns={columnsOf(now)}
          empty={<EmptyState title={t.creator_codes.no_codes_yet}>{t.creator_codes.ask_a_merchant}</EmptyState>}
        />
      </Section>
    </Page>
  );
}

const columnsOf = (now: Date): ReadonlyArray<Column<OwnDiscountCode>> => [
  {
    title: t.creator_codes.code,
    kind: 'name',
    sort: 'code',
    priority: true,
    cell: ({ code }) => <CopyableValue value={code} label={t.creator_codes.copy_code({ code })} />,
  },
  {
    title: t.creator_codes.program,
    cell: ({ program_name: name, store_name: store }) => (
      <>
        <div>{name}</div>
        <div className={styles.muted}>{store}</div>
      </>
    ),
  },
  { title: t.creator_codes.state, priority: true, cell: (code) => <StatusChip texts={stateTexts} state={codeStateOf(code, now)} /> },
  { title: t.creator_codes.valid, sort: 'valid_until', priority: true, cell: (code) => <Validity code={code} /> },
  { title: t.creator_codes.orders, kind: 'number', cell: ({ orders }) => formats.number(orders) },
  { title: t.creator_codes.revenue_usd, kind: 'number', cell: ({ revenue_cents: cents }) => formatDollars(cents) },
  {
    title: t.creator_codes.earned_usd,
    kind: 'number',
    priority: true,
    cell: ({ earned_cents: cents }) => <strong>{formatDollars(cents)}</strong>,
  },
];

const stateTexts: StatusTexts<CodeState> = {
  active: [t.creator_codes.active, 'good', t.creator_codes.active_means],
  paused: [t.creator_codes.paused, 'wait', t.creator_codes.paused_means],
  ended: [t.creator_codes.ended, 'neutral', t.creator_codes.ended_means],
  scheduled: [t.creator_codes.scheduled, 'wait', t.creator_codes.scheduled_means],
  expired: [t.creator_codes.expired, 'neutral', t.creator_codes.expired_means],
  shared: [t.creator_codes.shared, 'neutral', t.creator_codes.shared_means],
};

function Validity({ code: { valid_from: from, valid_until: until } }: { readonly code: OwnDiscountCode }) {
  const start = <Time at={from} dateOnly />;
  return until === null
    ? rich(t.creator_codes.from_day, { from: start })
    : rich(t.creator_codes.from_until, { from: start, until: <Time at={until} dateOnly /> });
}
