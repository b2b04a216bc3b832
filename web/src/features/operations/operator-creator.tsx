import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { api } from '../../api/client.ts';
import { QueryView } from '../../ui/query-view.tsx';
import type { Balance, Creator, Payout, Suspension } from '../../../../sdk/src/api-schema.ts';
import { apiPath } from '../../api/operations.ts';
import { balanceQuery, creatorQuery } from '../portal/creator-api.ts';
import { creatorPayoutsPath } from '../portal/creator-payouts-api.ts';
import { formatDollars, formatUsd } from '../../ui/format.ts';
import { CopyIcon } from '../../ui/copy.tsx';
import { ConfirmButton } from '../../ui/dialog.tsx';
import { Stat, Stats } from '../../ui/stats.tsx';
import { DescriptionList } from '../../ui/description-list.tsx';
import { TextLink } from '../../ui/links.tsx';
import { ShortList } from '../../ui/list.tsx';
import { EmptyState, Page, Section } from '../../ui/page.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { LoadingSkeleton, type Column } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { startViewAs } from '../../session/view-as.ts';
import { CreatorActions, CreatorStatusChip } from './operator-creators.tsx';
import styles from './operator.module.css';
import { OperatorPayoutStatusChip } from './payout-status-chips.tsx';
import { t } from './messages.ts';
import { rich } from '../../messages/rich-text.tsx';

/** The operator's view of a creator: balances, payouts, and status. */
export function OperatorCreator() {
  const { creatorId: id } = useParams({ from: '/signed-in/operator/creators/$creatorId' });
  const creator = useQuery(creatorQuery(id));
  const balance = useQuery(balanceQuery(id));
  const above = <TextLink to="/operator/creators">{t.operator_creator.creators}</TextLink>;
  if (creator.isPending) return <Page title={t.operator_creator.creator} above={above} children={<LoadingSkeleton />} />;
  if (creator.isError)
    return (
      <Page
        title={t.operator_creator.creator}
        above={above}
        children={<ErrorAlert error={creator.error} onRetry={() => void creator.refetch()} />}
      />
    );
  return (
    <Page title={creator.data.name} above={above} actions={<ViewAsButton creator={creator.data} />}>
      <Section
        title={t.operator_creator.details}
        actions={
          <div className={styles.buttons}>
            <CreatorActions creator={creator.data} />
          </div>
        }
      >
        <CreatorDetails creator={creator.data} />
      </Section>
      <QueryView query={balance}>{(data) => <BalanceSummary balance={data} />}</QueryView>
      <Suspensions creator={id} />
      <Section title={t.operator_creator.payouts} flush>
        <ShortList
          caption={t.operator_creator.payouts}
          path={creatorPayoutsPath(id)}
          keyOf={({ id: payout }) => payout}
          columns={columns}
          empty={<EmptyState title={t.operator_creator.no_payouts_yet}>{t.operator_creator.payouts_appear_here_once}</EmptyState>}
        />
      </Section>
    </Page>
  );
}

function Suspensions({ creator }: { readonly creator: string }) {
  return (
    <Section title={t.operator_creator.suspensions} intro={t.operator_creator.the_creator_sees_the_reason} flush>
      <ShortList
        caption={t.operator_creator.suspensions}
        path={apiPath('/creators/{creator}/suspensions', { creator })}
        keyOf={({ id }) => id}
        columns={suspensionColumns}
        empty={<EmptyState title={t.operator_creator.never_suspended}>{t.operator_creator.suspensions_are_listed_here_with}</EmptyState>}
      />
    </Section>
  );
}

const suspensionColumns: ReadonlyArray<Column<Suspension>> = [
  { title: t.operator_creator.suspended, cell: ({ suspended_at: at }) => <Time at={at} /> },
  { title: t.operator_creator.by, cell: ({ suspended_by_name: name }) => name },
  { title: t.operator_creator.reason, cell: ({ reason }) => reason ?? t.operator_creator.none_given },
  { title: t.operator_creator.note, cell: ({ note }) => note ?? t.operator_creator.none },
  {
    title: t.operator_creator.ended,
    cell: ({ ended_at: at, ended_by_name: by }) =>
      at === null ? t.operator_creator.not_yet : <>{rich(t.operator_creator.by_2({ by: by ?? '' }), { time: <Time at={at} /> })}</>,
  },
];

function ViewAsButton({ creator: { id, name } }: { readonly creator: Creator }) {
  const view = async () => {
    await api.post(apiPath('/creators/{creator}/view', { creator: id }));
    startViewAs({ is: 'creator', id, name });
  };
  return (
    <ConfirmButton
      label={t.operator_creator.view_as_creator}
      size="sm"
      title={t.operator_creator.view_the_portal_as({ name })}
      confirm={t.operator_creator.view_portal}
      run={view}
    >
      <p>{t.operator_creator.you_see_what_they_see}</p>
    </ConfirmButton>
  );
}

const methodTexts: Readonly<Record<NonNullable<Creator['payout_method']>['provider'], string>> = {
  sandbox: t.operator_creator.method_sandbox,
  stripe: t.operator_creator.method_stripe,
  manual: t.operator_creator.method_manual,
};

function CreatorDetails({ creator }: { readonly creator: Creator }) {
  const { payout_method: method, payout_minimum_cents: minimum } = creator;
  return (
    <DescriptionList
      items={[
        [t.operator_creator.state, <CreatorStatusChip key="s" status={creator.status} />],
        ...(creator.status === 'suspended'
          ? [[t.operator_creator.reason, creator.suspension_reason ?? t.operator_creator.none_given] as const]
          : []),
        [t.operator_creator.email, creator.email],
        [
          t.operator_creator.creator_id,
          <span key="id">
            <span className="mono">{creator.id}</span>{' '}
            <CopyIcon value={creator.id} label={t.operator_creator.the_id_of({ name: creator.name })} />
          </span>,
        ],
        [
          t.operator_creator.payout_method,
          method === null
            ? t.operator_creator.none_yet
            : `${methodTexts[method.provider]}${method.last4 === null ? '' : `, …${method.last4}`}`,
        ],
        [t.operator_creator.own_payout_minimum, minimum === null ? t.operator_creator.no_minimum : formatUsd(minimum)],
        [t.operator_creator.created, <Time key="c" at={creator.created_at} />],
      ]}
    />
  );
}

function BalanceSummary({ balance: { next_payout: next, blocks, ...sums } }: { readonly balance: Balance }) {
  return (
    <>
      <Stats label={t.operator_creator.balance}>
        <Stat name={t.operator_creator.available} value={formatUsd(sums.available_cents)} detail={t.operator_creator.paid_by_stores} />
        <Stat name={t.operator_creator.in_a_payout} value={formatUsd(sums.in_payout_cents)} detail={t.operator_creator.in_progress} />
        <Stat
          name={t.operator_creator.in_refund_hold}
          value={formatUsd(sums.in_hold_cents)}
          detail={t.operator_creator.refunds_are_still_possible}
        />
        <Stat
          name={t.operator_creator.waiting_for_stores}
          value={formatUsd(sums.waiting_for_merchant_cents)}
          detail={t.operator_creator.to_approve_or_pay}
        />
        <Stat name={t.operator_creator.on_hold} value={formatUsd(sums.held_cents)} detail={t.operator_creator.under_review} />
        <Stat name={t.operator_creator.paid} value={formatUsd(sums.paid_cents)} detail={t.operator_creator.in_total} />
      </Stats>
      <Section title={t.operator_creator.next_payout} intro={t.operator_creator.and_what_is_not_included}>
        <p className={styles.sum}>
          {next.amount_cents > 0 ? t.operator_creator.on({ amountCents: next.amount_cents }) : t.operator_creator.nothing_due_on}{' '}
          <Time at={next.at} dateOnly />
        </p>
        {blocks.length > 0 && (
          <ul className={styles.taskList}>
            {blocks.map(({ reason, amount_cents: cents, message }) => (
              <li key={reason}>
                {cents > 0 && <strong>{formatUsd(cents)}</strong>}
                <span className={styles.muted}>{message}</span>
              </li>
            ))}
          </ul>
        )}
      </Section>
    </>
  );
}

const columns: ReadonlyArray<Column<Payout>> = [
  { title: t.operator_creator.created_2, cell: ({ made_at: at }) => <Time at={at} dateOnly /> },
  { title: t.operator_creator.amount_usd, kind: 'number', cell: ({ amount_cents: cents }) => <strong>{formatDollars(cents)}</strong> },
  { title: t.operator_creator.state, cell: ({ state, provider }) => <OperatorPayoutStatusChip state={state} provider={provider} /> },
  {
    title: t.operator_creator.reference_or_error,
    cell: ({ reference, failure }) =>
      failure?.message ?? (reference === null ? t.operator_creator.none_yet_2 : <span className="mono">{reference}</span>),
  },
];
