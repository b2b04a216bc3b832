import { useQuery } from '@tanstack/react-query';
import { useRouteContext } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { usd } from '../parts/amounts.ts';
import { countOf } from '../parts/count-of.ts';
import { Figure, Figures } from '../parts/figures.tsx';
import { ButtonLink, TextLink } from '../parts/links.tsx';
import { Empty, Page, Section } from '../parts/page.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { Waiting } from '../parts/table.tsx';
import { localDay, Time } from '../parts/time.tsx';
import { healthReading, ledgerReading, overviewReading, type InFlight, type OperatorsOverview, type Traffic } from './operator-api.ts';
import { newestMails } from './mails-api.ts';
import styles from './operator.module.css';
import { latencyWords, rateWords } from './traffic-words.ts';

/** An operator's first page: what wants somebody, then how everything stands. */
export function OperatorOverview() {
  const overview = useQuery(overviewReading);
  return (
    <Page title="Overview" intro="The whole installation, all stores together.">
      {overview.isPending && <Waiting lines={6} />}
      {overview.isError && <ProblemNote problem={overview.error} onRetry={() => void overview.refetch()} />}
      {overview.isSuccess && (
        <>
          <UnsentMails />
          {overview.data.stores.count === 0 ? <FirstStore /> : <WantsSomebody overview={overview.data} />}
          <Standing overview={overview.data} />
          <Money overview={overview.data} />
          <Pace overview={overview.data} />
        </>
      )}
    </Page>
  );
}

const FirstStore = () => (
  <Section title="Begin here">
    <Empty title="No store yet" action={<ButtonLink to="/new-store">Create the first store</ButtonLink>}>
      Create one, or let merchants sign up: whoever makes an account can open a store of their own.
    </Empty>
  </Section>
);

/** Without a mail server somebody waits for a link that only an operator can hand on. */
function UnsentMails() {
  const { session } = useRouteContext({ from: '/inside' });
  const mails = useQuery(newestMails);
  const unsent = (mails.data?.data ?? []).filter(({ state }) => state === 'kept');
  if (unsent.length === 0) return null;
  const next = session.mode === 'sandbox' ? 'Open a mail and hand its link on.' : 'Set SMTP_URL, so that people get their mails.';
  return (
    <Section title="Mails that were not sent" intro={`No mail server is set. ${next}`}>
      <ul className={styles.look}>
        {unsent.map(({ id, subject, to }) => (
          <Look key={id} about={`To ${to}`}>
            <TextLink to="/operator/mails/$mail" params={{ mail: id }}>
              {subject}
            </TextLink>
          </Look>
        ))}
      </ul>
    </Section>
  );
}

type Part = { readonly overview: OperatorsOverview };

function WantsSomebody({ overview }: Part) {
  const { past_due_stores: pastDue, stores, failed_jobs: failed, last_verification: verified } = overview;
  const items = [
    verified !== null && verified.differences > 0 && (
      <Look key="verify" urgent about="The last verification found what must not be.">
        <TextLink to="/operator/ledger">{countOf(verified.differences, 'difference', 'differences')} in the books</TextLink>
      </Look>
    ),
    failed.night.length > 0 && (
      <Look key="night" urgent about={failed.night.join(', ')}>
        <TextLink to="/operator/jobs">{countOf(failed.night.length, 'job of the night', 'jobs of the night')} failed</TextLink>
      </Look>
    ),
    failed.queue > 0 && (
      <Look key="queue" about="Each is tried again by itself until it is given up.">
        <TextLink to="/operator/jobs">{countOf(failed.queue, 'piece of the queue', 'pieces of the queue')} failed</TextLink>
      </Look>
    ),
    ...wantsMoney(overview),
    ...pastDue.map(({ id, name, since }) => (
      <Look key={id} about={`Past due since ${localDay(since)}: its links pause until it pays.`}>
        <TextLink to="/operator/stores/$shop" params={{ shop: id }}>
          {name} could not be charged
        </TextLink>
      </Look>
    )),
    stores.past_due > pastDue.length && (
      <Look key="more" about="They stand in the list of stores.">
        <TextLink to="/operator/stores">{countOf(stores.past_due - pastDue.length, 'more store is', 'more stores are')} past due</TextLink>
      </Look>
    ),
  ].filter(Boolean);
  return (
    <Section title="What waits for you">
      {items.length === 0 ? <p style={{ margin: 0 }}>Nothing. Everything runs by itself.</p> : <ul className={styles.look}>{items}</ul>}
    </Section>
  );
}

/** Money that waits for somebody, and creators who object. */
const wantsMoney = ({ payouts, charges, open_disputes: disputes }: OperatorsOverview) => [
  payouts.awaiting_second.count > 0 && (
    <Look key="second" about={`${usd(payouts.awaiting_second.amount_cents)}, above the limit for one person`}>
      <TextLink to="/operator/payouts">
        {countOf(payouts.awaiting_second.count, 'payout waits', 'payouts wait')} for a second person
      </TextLink>
    </Look>
  ),
  unknownOf(charges.unknown) && (
    <Look key="charges" about={`${usd(charges.unknown.amount_cents)}; the provider is asked again until it answers`}>
      <TextLink to="/operator/charges" search={{ state: 'unknown' }}>
        {countOf(charges.unknown.count, 'charge', 'charges')} with an unknown end
      </TextLink>
    </Look>
  ),
  unknownOf(payouts.unknown) && (
    <Look key="unknown" about={`${usd(payouts.unknown.amount_cents)}; the provider is asked again until it answers`}>
      <TextLink to="/operator/payouts" search={{ state: 'unknown' }}>
        {countOf(payouts.unknown.count, 'payout', 'payouts')} with an unknown end
      </TextLink>
    </Look>
  ),
  disputes > 0 && (
    <Look key="disputes" about="The stores decide on them; where one does not, an operator can.">
      <TextLink to="/operator/disputes" search={{ state: 'open' }}>
        {countOf(disputes, 'dispute is', 'disputes are')} open
      </TextLink>
    </Look>
  ),
];

const unknownOf = ({ count }: InFlight): boolean => count > 0;

type LookProps = { readonly urgent?: boolean; readonly about: string; readonly children: ReactNode };

const Look = ({ urgent = false, about, children }: LookProps) => (
  <li data-urgent={urgent || undefined}>
    {children}
    <span className={styles.quiet}>{about}</span>
  </li>
);

function Standing({ overview: { stores, creators, sold } }: Part) {
  const { past_due: pastDue, archived } = stores;
  return (
    <Figures label="How it stands">
      <Figure
        name="Stores"
        value={<TextLink to="/operator/stores">{stores.count.toLocaleString('en-GB')}</TextLink>}
        about={`${pastDue} past due, ${archived} archived`}
      />
      <Figure
        name="Creators"
        value={<TextLink to="/operator/creators">{creators.count.toLocaleString('en-GB')}</TextLink>}
        about={`${creators.suspended} suspended`}
      />
      <Figure name="Clicks" value={sold.clicks.toLocaleString('en-GB')} about="in the last 7 days" />
      <Figure name="Orders" value={sold.orders.toLocaleString('en-GB')} about={`worth ${usd(sold.revenue_cents)}, in the last 7 days`} />
      <Figure name="Commissions" value={usd(sold.commission_cents)} about="opened on them" />
    </Figures>
  );
}

function Money({ overview: { payouts, charges, last_verification: verified } }: Part) {
  const ledger = useQuery(ledgerReading);
  return (
    <Figures label="Money">
      <Figure
        name="Being charged"
        value={usd(charges.sending.amount_cents)}
        about={<TextLink to="/operator/charges">{countOf(charges.sending.count, 'charge', 'charges')}</TextLink>}
      />
      <Figure
        name="Being paid out"
        value={usd(payouts.sending.amount_cents)}
        about={<TextLink to="/operator/payouts">{countOf(payouts.sending.count, 'payout', 'payouts')}</TextLink>}
      />
      <Figure
        name="The books"
        value={
          <TextLink to="/operator/ledger">
            {ledger.isPending ? <span data-waiting>…</span> : ledger.data === undefined ? 'unknown' : balanceWord(ledger.data.is_balanced)}
          </TextLink>
        }
        about="debits and credits of all accounts"
      />
      <Figure
        name="Last verification"
        value={
          verified === null ? 'Never' : verified.differences === 0 ? 'In order' : countOf(verified.differences, 'difference', 'differences')
        }
        about={
          verified === null ? (
            <TextLink to="/operator/ledger">Verify the books</TextLink>
          ) : (
            <>
              <Time at={verified.at} /> by {verified.by_name}
            </>
          )
        }
      />
    </Figures>
  );
}

/** How fast it answers right now. Of one process: the page does not add up what it cannot see. */
function Pace({ overview: { queue_waiting: waiting } }: Part) {
  const health = useQuery({ ...healthReading, refetchInterval: paceMs });
  if (health.isError) return <ProblemNote problem={health.error} onRetry={() => void health.refetch()} />;
  const { postbacks, redirects } = health.data?.traffic ?? { postbacks: null, redirects: null };
  const rate = (traffic: Traffic | null) => (traffic === null ? <span data-waiting>…</span> : rateWords(traffic));
  const took = (traffic: Traffic | null) => (traffic === null ? '' : latencyWords(traffic));
  return (
    <>
      <Figures label="Pace">
        <Figure name="Postbacks" value={rate(postbacks)} about={took(postbacks)} />
        <Figure name="Redirects" value={rate(redirects)} about={took(redirects)} />
        <Figure
          name="Queue"
          value={waiting.toLocaleString('en-GB')}
          about={<TextLink to="/operator/jobs">{waiting === 1 ? 'piece of work is due' : 'pieces of work are due'}</TextLink>}
        />
      </Figures>
      <p className={styles.quiet}>
        Postbacks and redirects of the last minute, as the process counts them that answered this page; where several run, each has figures
        of its own. All together stand at <span className="mono">/metrics</span>.
      </p>
    </>
  );
}

const paceMs = 10_000;

const balanceWord = (isBalanced: boolean): string => (isBalanced ? 'Balanced' : 'Not balanced');
