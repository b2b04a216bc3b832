import { useQuery } from '@tanstack/react-query';
import { useRouteContext } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { OperatorOverview, RequestRate } from '../../api/api-schema.ts';
import { QueryView } from '../../ui/query-view.tsx';
import { formatUsd, formatCount } from '../../ui/format.ts';
import { Stat, Stats } from '../../ui/stats.tsx';
import { ButtonLink, TextLink } from '../../ui/links.tsx';
import { EmptyState, Page, Section } from '../../ui/page.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { formatDay, Time } from '../../ui/time.tsx';
import { healthQuery, ledgerQuery, operatorOverviewQuery } from './operator-api.ts';
import { newestEmailsQuery } from './emails-api.ts';
import styles from './operator.module.css';
import { formatLatency, formatRate } from './request-rate-text.ts';

/** The operator's start page: what needs attention, then the state of the installation. */
export function OperatorOverview() {
  const overview = useQuery(operatorOverviewQuery);
  return (
    <Page title="Overview" intro="The whole installation, all stores together.">
      <QueryView query={overview} lines={6}>
        {(data) => (
          <>
            <UnsentEmails />
            {data.stores.count === 0 ? <CreateFirstStore /> : <NeedsAttention overview={data} />}
            <InstallationStats overview={data} />
            <MoneyStats overview={data} />
            <RequestRateStats overview={data} />
          </>
        )}
      </QueryView>
    </Page>
  );
}

const CreateFirstStore = () => (
  <Section title="Begin here">
    <EmptyState title="No store yet" action={<ButtonLink to="/new-store">Create the first store</ButtonLink>}>
      Create one, or let merchants sign up: whoever makes an account can open a store of their own.
    </EmptyState>
  </Section>
);

/** Without a mail server people wait for links that only an operator can pass on. */
function UnsentEmails() {
  const { session } = useRouteContext({ from: '/signed-in' });
  const mails = useQuery(newestEmailsQuery);
  const unsent = (mails.data?.data ?? []).filter(({ state }) => state === 'kept');
  if (unsent.length === 0) return null;
  const next = session.mode === 'sandbox' ? 'Open a mail and hand its link on.' : 'Set SMTP_URL, so that people get their mails.';
  return (
    <Section title="Mails that were not sent" intro={`No mail server is set. ${next}`}>
      <ul className={styles.taskList}>
        {unsent.map(({ id, subject, to }) => (
          <TaskItem key={id} detail={`To ${to}`}>
            <TextLink to="/operator/mails/$emailId" params={{ emailId: id }}>
              {subject}
            </TextLink>
          </TaskItem>
        ))}
      </ul>
    </Section>
  );
}

type OverviewProps = { readonly overview: OperatorOverview };

function NeedsAttention({ overview }: OverviewProps) {
  const { past_due_stores: pastDue, stores, failed_jobs: failed, last_verification: verified } = overview;
  const items = [
    verified !== null && verified.differences > 0 && (
      <TaskItem key="verify" urgent detail="The last verification found what must not be.">
        <TextLink to="/operator/ledger">{formatCount(verified.differences, 'difference', 'differences')} in the books</TextLink>
      </TaskItem>
    ),
    failed.night.length > 0 && (
      <TaskItem key="night" urgent detail={failed.night.join(', ')}>
        <TextLink to="/operator/jobs">{formatCount(failed.night.length, 'job of the night', 'jobs of the night')} failed</TextLink>
      </TaskItem>
    ),
    failed.queue > 0 && (
      <TaskItem key="queue" detail="Each is tried again by itself until it is given up.">
        <TextLink to="/operator/jobs">{formatCount(failed.queue, 'piece of the queue', 'pieces of the queue')} failed</TextLink>
      </TaskItem>
    ),
    ...moneyTasks(overview),
    ...pastDue.map(({ id, name, since }) => (
      <TaskItem key={id} detail={`Past due since ${formatDay(since)}: its links pause until it pays.`}>
        <TextLink to="/operator/stores/$storeId" params={{ storeId: id }}>
          {name} could not be charged
        </TextLink>
      </TaskItem>
    )),
    stores.past_due > pastDue.length && (
      <TaskItem key="more" detail="They stand in the list of stores.">
        <TextLink to="/operator/stores">
          {formatCount(stores.past_due - pastDue.length, 'more store is', 'more stores are')} past due
        </TextLink>
      </TaskItem>
    ),
  ].filter(Boolean);
  return (
    <Section title="What waits for you">
      {items.length === 0 ? <p style={{ margin: 0 }}>Nothing. Everything runs by itself.</p> : <ul className={styles.taskList}>{items}</ul>}
    </Section>
  );
}

/** Money that needs a decision, and open disputes. */
const moneyTasks = ({ payouts, charges, open_disputes: disputes }: OperatorOverview) => [
  payouts.awaiting_second.count > 0 && (
    <TaskItem key="second" detail={`${formatUsd(payouts.awaiting_second.amount_cents)}, above the limit for one person`}>
      <TextLink to="/operator/payouts">
        {formatCount(payouts.awaiting_second.count, 'payout waits', 'payouts wait')} for a second person
      </TextLink>
    </TaskItem>
  ),
  hasAny(charges.unknown) && (
    <TaskItem key="charges" detail={`${formatUsd(charges.unknown.amount_cents)}; the provider is asked again until it answers`}>
      <TextLink to="/operator/charges" search={{ state: 'unknown' }}>
        {formatCount(charges.unknown.count, 'charge', 'charges')} with an unknown end
      </TextLink>
    </TaskItem>
  ),
  hasAny(payouts.unknown) && (
    <TaskItem key="unknown" detail={`${formatUsd(payouts.unknown.amount_cents)}; the provider is asked again until it answers`}>
      <TextLink to="/operator/payouts" search={{ state: 'unknown' }}>
        {formatCount(payouts.unknown.count, 'payout', 'payouts')} with an unknown end
      </TextLink>
    </TaskItem>
  ),
  disputes > 0 && (
    <TaskItem key="disputes" detail="The stores decide on them; where one does not, an operator can.">
      <TextLink to="/operator/disputes" search={{ state: 'open' }}>
        {formatCount(disputes, 'dispute is', 'disputes are')} open
      </TextLink>
    </TaskItem>
  ),
];

const hasAny = ({ count }: OverviewProps['overview']['charges']['unknown']): boolean => count > 0;

type TaskItemProps = { readonly urgent?: boolean; readonly detail: string; readonly children: ReactNode };

const TaskItem = ({ urgent = false, detail, children }: TaskItemProps) => (
  <li data-urgent={urgent || undefined}>
    {children}
    <span className={styles.muted}>{detail}</span>
  </li>
);

function InstallationStats({ overview: { stores, creators, sold } }: OverviewProps) {
  const { past_due: pastDue, archived } = stores;
  return (
    <Stats label="How it stands">
      <Stat
        name="Stores"
        value={<TextLink to="/operator/stores">{stores.count.toLocaleString('en-GB')}</TextLink>}
        detail={`${pastDue} past due, ${archived} archived`}
      />
      <Stat
        name="Creators"
        value={<TextLink to="/operator/creators">{creators.count.toLocaleString('en-GB')}</TextLink>}
        detail={`${creators.suspended} suspended`}
      />
      <Stat name="Clicks" value={sold.clicks.toLocaleString('en-GB')} detail="in the last 7 days" />
      <Stat
        name="Orders"
        value={sold.orders.toLocaleString('en-GB')}
        detail={`worth ${formatUsd(sold.revenue_cents)}, in the last 7 days`}
      />
      <Stat name="Commissions" value={formatUsd(sold.commission_cents)} detail="opened on them" />
    </Stats>
  );
}

function MoneyStats({ overview: { payouts, charges, last_verification: verified } }: OverviewProps) {
  const ledger = useQuery(ledgerQuery);
  return (
    <Stats label="Money">
      <Stat
        name="Being charged"
        value={formatUsd(charges.sending.amount_cents)}
        detail={<TextLink to="/operator/charges">{formatCount(charges.sending.count, 'charge', 'charges')}</TextLink>}
      />
      <Stat
        name="Being paid out"
        value={formatUsd(payouts.sending.amount_cents)}
        detail={<TextLink to="/operator/payouts">{formatCount(payouts.sending.count, 'payout', 'payouts')}</TextLink>}
      />
      <Stat
        name="The books"
        value={
          <TextLink to="/operator/ledger">
            {ledger.isPending ? <span data-pending>…</span> : ledger.data === undefined ? 'unknown' : balanceLabel(ledger.data.is_balanced)}
          </TextLink>
        }
        detail="debits and credits of all accounts"
      />
      <Stat
        name="Last verification"
        value={
          verified === null
            ? 'Never'
            : verified.differences === 0
              ? 'In order'
              : formatCount(verified.differences, 'difference', 'differences')
        }
        detail={
          verified === null ? (
            <TextLink to="/operator/ledger">Verify the books</TextLink>
          ) : (
            <>
              <Time at={verified.at} /> by {verified.by_name}
            </>
          )
        }
      />
    </Stats>
  );
}

/** The request rate and latency of one process; this page cannot add up several. */
function RequestRateStats({ overview: { queue_waiting: waiting } }: OverviewProps) {
  const health = useQuery({ ...healthQuery, refetchInterval: refreshMs });
  if (health.isError) return <ErrorAlert error={health.error} onRetry={() => void health.refetch()} />;
  const { postbacks, redirects } = health.data?.traffic ?? { postbacks: null, redirects: null };
  const rate = (traffic: RequestRate | null) => (traffic === null ? <span data-pending>…</span> : formatRate(traffic));
  const took = (traffic: RequestRate | null) => (traffic === null ? '' : formatLatency(traffic));
  return (
    <>
      <Stats label="Pace">
        <Stat name="Postbacks" value={rate(postbacks)} detail={took(postbacks)} />
        <Stat name="Redirects" value={rate(redirects)} detail={took(redirects)} />
        <Stat
          name="Queue"
          value={waiting.toLocaleString('en-GB')}
          detail={<TextLink to="/operator/jobs">{waiting === 1 ? 'piece of work is due' : 'pieces of work are due'}</TextLink>}
        />
      </Stats>
      <p className={styles.muted}>
        Postbacks and redirects of the last minute, as the process counts them that answered this page; where several run, each has figures
        of its own. All together stand at <span className="mono">/metrics</span>.
      </p>
    </>
  );
}

const refreshMs = 10_000;

const balanceLabel = (isBalanced: boolean): string => (isBalanced ? 'Balanced' : 'Not balanced');
