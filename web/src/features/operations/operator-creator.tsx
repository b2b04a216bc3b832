import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { api } from '../../api/client.ts';
import { QueryView } from '../../ui/query-view.tsx';
import type { Balance, Creator, Payout, Suspension } from '../../api/api-schema.ts';
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

/** The operator's view of a creator: balances, payouts, and status. */
export function OperatorCreator() {
  const { creatorId: id } = useParams({ from: '/signed-in/operator/creators/$creatorId' });
  const creator = useQuery(creatorQuery(id));
  const balance = useQuery(balanceQuery(id));
  const above = <TextLink to="/operator/creators">Creators</TextLink>;
  if (creator.isPending) return <Page title="Creator" above={above} children={<LoadingSkeleton />} />;
  if (creator.isError)
    return <Page title="Creator" above={above} children={<ErrorAlert error={creator.error} onRetry={() => void creator.refetch()} />} />;
  return (
    <Page title={creator.data.name} above={above} actions={<ViewAsButton creator={creator.data} />}>
      <Section
        title="How they stand"
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
      <Section title="Payouts" flush>
        <ShortList
          caption="Payouts"
          path={creatorPayoutsPath(id)}
          keyOf={({ id: payout }) => payout}
          columns={columns}
          empty={
            <EmptyState title="No payout yet">
              The first one comes when a store has paid for their sales and they reach the minimum.
            </EmptyState>
          }
        />
      </Section>
    </Page>
  );
}

function Suspensions({ creator }: { readonly creator: string }) {
  return (
    <Section title="Suspensions" intro="The creator reads the reason. The note is for operators." flush>
      <ShortList
        caption="Suspensions"
        path={apiPath('/creators/{creator}/suspensions', { creator })}
        keyOf={({ id }) => id}
        columns={suspensionColumns}
        empty={<EmptyState title="Never suspended">Each suspension is listed here, with its reason and who decided it.</EmptyState>}
      />
    </Section>
  );
}

const suspensionColumns: ReadonlyArray<Column<Suspension>> = [
  { title: 'Suspended', cell: ({ suspended_at: at }) => <Time at={at} /> },
  { title: 'By', cell: ({ suspended_by_name: name }) => name },
  { title: 'Reason', cell: ({ reason }) => reason ?? 'none given' },
  { title: 'Note', cell: ({ note }) => note ?? 'none' },
  {
    title: 'Ended',
    cell: ({ ended_at: at, ended_by_name: by }) =>
      at === null ? (
        'not yet'
      ) : (
        <>
          <Time at={at} /> by {by}
        </>
      ),
  },
];

function ViewAsButton({ creator: { id, name } }: { readonly creator: Creator }) {
  const view = async () => {
    await api.post(apiPath('/creators/{creator}/view', { creator: id }));
    startViewAs({ is: 'creator', id, name });
  };
  return (
    <ConfirmButton label="View as the creator" size="sm" title={`View the portal as ${name} does?`} confirm="View it" run={view}>
      <p>You see what they see, and can change nothing. The audit log says that you looked.</p>
    </ConfirmButton>
  );
}

function CreatorDetails({ creator }: { readonly creator: Creator }) {
  const { payout_method: method, payout_minimum_cents: minimum } = creator;
  return (
    <DescriptionList
      items={[
        ['State', <CreatorStatusChip key="s" status={creator.status} />],
        ...(creator.status === 'suspended' ? [['Reason', creator.suspension_reason ?? 'none given'] as const] : []),
        ['E-mail', creator.email],
        [
          'Creator ID',
          <span key="id">
            <span className="mono">{creator.id}</span> <CopyIcon value={creator.id} label={`the ID of ${creator.name}`} />
          </span>,
        ],
        ['Is paid by', method === null ? 'nothing yet' : `${method.provider}${method.last4 === null ? '' : `, …${method.last4}`}`],
        ['Own minimum', minimum === null ? 'none' : formatUsd(minimum)],
        ['Created', <Time key="c" at={creator.created_at} />],
      ]}
    />
  );
}

function BalanceSummary({ balance: { next_payout: next, blocks, ...sums } }: { readonly balance: Balance }) {
  return (
    <>
      <Stats label="Money">
        <Stat name="Available" value={formatUsd(sums.available_cents)} detail="paid by stores, free" />
        <Stat name="In a payout" value={formatUsd(sums.in_payout_cents)} detail="on its way" />
        <Stat name="In hold" value={formatUsd(sums.in_hold_cents)} detail="refunds may still come" />
        <Stat name="Waiting" value={formatUsd(sums.waiting_for_merchant_cents)} detail="for stores to approve or pay" />
        <Stat name="Held" value={formatUsd(sums.held_cents)} detail="somebody looks into it" />
        <Stat name="Paid" value={formatUsd(sums.paid_cents)} detail="so far" />
      </Stats>
      <Section title="Next payout" intro="And what is not in it, in the words that the creator reads.">
        <p className={styles.sum}>
          {next.amount_cents > 0 ? `${formatUsd(next.amount_cents)} on` : 'Nothing yet for'} <Time at={next.at} dateOnly />
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
  { title: 'Made', cell: ({ made_at: at }) => <Time at={at} dateOnly /> },
  { title: 'Amount, USD', kind: 'number', cell: ({ amount_cents: cents }) => <strong>{formatDollars(cents)}</strong> },
  { title: 'State', cell: ({ state, provider }) => <OperatorPayoutStatusChip state={state} provider={provider} /> },
  {
    title: 'Reference or failure',
    cell: ({ reference, failure }) => failure?.message ?? (reference === null ? 'none yet' : <span className="mono">{reference}</span>),
  },
];
