import { useQuery } from '@tanstack/react-query';
import { useRouteContext } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { OperatorOverview, RequestRate } from '../../../../sdk/src/api-schema.ts';
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
import { formats } from '../../messages/messages.ts';
import { t } from './messages.ts';
import { rich } from '../../messages/rich-text.tsx';

/** The operator's start page: what needs attention, then the state of the installation. */
export function OperatorOverview() {
  const overview = useQuery(operatorOverviewQuery);
  return (
    <Page title={t.operator_overview.overview} intro={t.operator_overview.all_stores_of_this_installation}>
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
  <Section title={t.operator_overview.get_started}>
    <EmptyState
      title={t.operator_overview.no_stores_yet}
      action={<ButtonLink to="/new-store">{t.operator_overview.create_first_store}</ButtonLink>}
    >
      {t.operator_overview.create_a_store_or_let}
    </EmptyState>
  </Section>
);

/** Without a mail server people wait for links that only an operator can pass on. */
function UnsentEmails() {
  const { session } = useRouteContext({ from: '/signed-in' });
  const mails = useQuery(newestEmailsQuery);
  const unsent = (mails.data?.data ?? []).filter(({ state }) => state === 'kept');
  if (unsent.length === 0) return null;
  const next = session.mode === 'sandbox' ? t.operator_overview.open_an_email_and_pass : t.operator_overview.set_smtp_url_to_send;
  return (
    <Section title={t.operator_overview.unsent_emails} intro={t.operator_overview.no_email_server_is_set({ next })}>
      <ul className={styles.taskList}>
        {unsent.map(({ id, subject, to }) => (
          <TaskItem key={id} detail={t.operator_overview.to({ to })}>
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
      <TaskItem key="verify" urgent detail={t.operator_overview.the_last_verification_found_differ}>
        <TextLink to="/operator/ledger">{t.operator_overview.differences_in_the_ledger({ differences: verified.differences })}</TextLink>
      </TaskItem>
    ),
    failed.night.length > 0 && (
      <TaskItem key="night" urgent detail={failed.night.join(', ')}>
        <TextLink to="/operator/jobs">{t.operator_overview.scheduled_jobs_failed({ night: failed.night.length })}</TextLink>
      </TaskItem>
    ),
    failed.queue > 0 && (
      <TaskItem key="queue" detail={t.operator_overview.each_is_retried_automatically_unti}>
        <TextLink to="/operator/jobs">{t.operator_overview.queued_jobs_failed({ queue: failed.queue })}</TextLink>
      </TaskItem>
    ),
    ...moneyTasks(overview),
    ...pastDue.map(({ id, name, since }) => (
      <TaskItem key={id} detail={t.operator_overview.past_due_since_its_links({ since: formatDay(since) })}>
        <TextLink to="/operator/stores/$storeId" params={{ storeId: id }}>
          {t.operator_overview.charge_declined({ name })}
        </TextLink>
      </TaskItem>
    )),
    stores.past_due > pastDue.length && (
      <TaskItem key="more" detail={t.operator_overview.see_the_list_of_stores}>
        <TextLink to="/operator/stores">
          {t.operator_overview.more_stores_are_past_due({ value: stores.past_due - pastDue.length })}
        </TextLink>
      </TaskItem>
    ),
  ].filter(Boolean);
  return (
    <Section title={t.operator_overview.needs_your_attention}>
      {items.length === 0 ? (
        <p style={{ margin: 0 }}>{t.operator_overview.youre_all_caught_up}</p>
      ) : (
        <ul className={styles.taskList}>{items}</ul>
      )}
    </Section>
  );
}

/** Money that needs a decision, and open disputes. */
const moneyTasks = ({ payouts, charges, open_disputes: disputes }: OperatorOverview) => [
  payouts.awaiting_second.count > 0 && (
    <TaskItem key="second" detail={t.operator_overview.above_the_limit_for_one({ amountCents: payouts.awaiting_second.amount_cents })}>
      <TextLink to="/operator/payouts">{t.operator_overview.payouts_wait_for_a_second({ count: payouts.awaiting_second.count })}</TextLink>
    </TaskItem>
  ),
  hasAny(charges.unknown) && (
    <TaskItem key="charges" detail={t.operator_overview.we_keep_checking_with_the({ amountCents: charges.unknown.amount_cents })}>
      <TextLink to="/operator/charges" search={{ state: 'unknown' }}>
        {t.operator_overview.charges_with_unknown_result({ count: charges.unknown.count })}
      </TextLink>
    </TaskItem>
  ),
  hasAny(payouts.unknown) && (
    <TaskItem key="unknown" detail={t.operator_overview.we_keep_checking_with_the({ amountCents: payouts.unknown.amount_cents })}>
      <TextLink to="/operator/payouts" search={{ state: 'unknown' }}>
        {t.operator_overview.payouts_with_unknown_result({ count: payouts.unknown.count })}
      </TextLink>
    </TaskItem>
  ),
  disputes > 0 && (
    <TaskItem key="disputes" detail={t.operator_overview.stores_respond_to_them_if}>
      <TextLink to="/operator/disputes" search={{ state: 'open' }}>
        {t.operator_overview.disputes_are_open({ disputes })}
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
    <Stats label={t.operator_overview.overview_2}>
      <Stat
        name={t.operator_overview.stores}
        value={<TextLink to="/operator/stores">{formats.number(stores.count)}</TextLink>}
        detail={t.operator_overview.past_due_archived({ pastDue, archived })}
      />
      <Stat
        name={t.operator_overview.creators}
        value={<TextLink to="/operator/creators">{formats.number(creators.count)}</TextLink>}
        detail={t.operator_overview.suspended({ suspended: creators.suspended })}
      />
      <Stat name={t.operator_overview.clicks} value={formats.number(sold.clicks)} detail={t.operator_overview.in_the_last_7_days} />
      <Stat
        name={t.operator_overview.orders}
        value={formats.number(sold.orders)}
        detail={t.operator_overview.in_the_last_7_days_2({ revenueCents: sold.revenue_cents })}
      />
      <Stat name={t.operator_overview.commissions} value={formatUsd(sold.commission_cents)} detail={t.operator_overview.on_these_orders} />
    </Stats>
  );
}

function MoneyStats({ overview: { payouts, charges, last_verification: verified } }: OverviewProps) {
  const ledger = useQuery(ledgerQuery);
  return (
    <Stats label={t.operator_overview.money}>
      <Stat
        name={t.operator_overview.charging}
        value={formatUsd(charges.sending.amount_cents)}
        detail={<TextLink to="/operator/charges">{formatCount(charges.sending.count, 'charge', 'charges')}</TextLink>}
      />
      <Stat
        name={t.operator_overview.in_payouts}
        value={formatUsd(payouts.sending.amount_cents)}
        detail={<TextLink to="/operator/payouts">{formatCount(payouts.sending.count, 'payout', 'payouts')}</TextLink>}
      />
      <Stat
        name={t.operator_overview.ledger}
        value={
          <TextLink to="/operator/ledger">
            {ledger.isPending ? (
              <span data-pending>…</span>
            ) : ledger.data === undefined ? (
              t.operator_overview.unknown
            ) : (
              balanceLabel(ledger.data.is_balanced)
            )}
          </TextLink>
        }
        detail={t.operator_overview.debits_and_credits_of_all}
      />
      <Stat
        name={t.operator_overview.last_verification}
        value={
          verified === null
            ? t.operator_overview.never
            : verified.differences === 0
              ? t.operator_overview.no_differences
              : formatCount(verified.differences, 'difference', 'differences')
        }
        detail={
          verified === null ? (
            <TextLink to="/operator/ledger">{t.operator_overview.verify_ledger}</TextLink>
          ) : (
            <>{rich(t.operator_overview.by({ byName: verified.by_name }), { time: <Time at={verified.at} /> })}</>
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
      <Stats label={t.operator_overview.activity}>
        <Stat name={t.operator_overview.postbacks} value={rate(postbacks)} detail={took(postbacks)} />
        <Stat name={t.operator_overview.redirects} value={rate(redirects)} detail={took(redirects)} />
        <Stat
          name={t.operator_overview.queue}
          value={formats.number(waiting)}
          detail={<TextLink to="/operator/jobs">{waiting === 1 ? t.operator_overview.job_due : t.operator_overview.jobs_due}</TextLink>}
        />
      </Stats>
      <p className={styles.muted}>{rich(t.operator_overview.postbacks_and_redirects_of_the, { span: <span className="mono" /> })}</p>
    </>
  );
}

const refreshMs = 10_000;

const balanceLabel = (isBalanced: boolean): string => (isBalanced ? t.operator_overview.balanced : t.operator_overview.not_balanced);
