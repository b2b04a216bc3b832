import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { DrawerSection } from '../../ui/drawer.tsx';
import { TextLink } from '../../ui/links.tsx';
import { apiListQuery, apiQuery } from '../../ui/queries.ts';
import { LoadingSkeleton } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { commissionsPath, type Commission, type Decision, type CommissionStory } from './commissions-api.ts';
import { ConversionLedger } from './conversion-ledger.tsx';
import { sortEvents, type TimelineEvent } from './timeline-events.ts';
import { paymentEvents } from './payment-events.tsx';
import styles from './conversions.module.css';
import { orderPostbacksQuery } from '../tracking/order-postbacks.ts';
import { operationLabels, type LogLine } from '../tracking/tracking-api.ts';

const retryHint = 'Open it once more in a minute.';

type TimelineProps = { readonly store: string; readonly commission: Commission };

/** Every event, earliest first, and at the end what will happen if nobody acts. */
export function ConversionTimeline({ store, commission }: TimelineProps) {
  const decisions = useInfiniteQuery(apiListQuery<Decision>(`${commissionsPath(store)}/${commission.id}/decisions`));
  const order = commission.order_id;
  const reports = useQuery({ ...orderPostbacksQuery(store, order ?? ''), enabled: order !== null });
  const story = useQuery(apiQuery<CommissionStory>(`${commissionsPath(store)}/${commission.id}/story`));
  if (decisions.isPending || story.isPending || (order !== null && reports.isPending)) return <LoadingSkeleton />;
  const past = commissionEvents(commission);
  const events = sortEvents([
    ...past.order,
    ...(reports.data?.lines ?? []).map((line) => postbackEvent(store, line)).toReversed(),
    ...past.commission,
    ...(decisions.data?.pages.flatMap(({ data }) => data) ?? []).map(decisionEvent).toReversed(),
    ...past.held,
    ...(story.isSuccess ? paymentEvents(store, story.data) : []),
    ...past.reversed,
    ...expectedEvents(commission),
  ]);
  return (
    <>
      <DrawerSection title="What happened">
        <ol className={styles.timeline}>
          {events.map(({ key, at, title, text, tone }) => (
            <li key={key} className={styles.moment} data-tone={tone}>
              <div>{title}</div>
              {text && <div className={styles.when}>{text}</div>}
              <div className={styles.when}>
                <Time at={at} />
              </div>
            </li>
          ))}
        </ol>
        {decisions.hasNextPage && <p>Older decisions are not shown here.</p>}
        {decisions.isError && <p>What was decided on it could not be read. {retryHint}</p>}
        {reports.data?.isIncomplete && <p>Older reports of your server about it may stand in the tracking log, and are not shown here.</p>}
        {reports.isError && <p>What your server reported of it could not be read. {retryHint}</p>}
        {story.isError && <p>What became of its bill could not be read. {retryHint}</p>}
      </DrawerSection>
      {story.isSuccess && <ConversionLedger lines={story.data.ledger} />}
    </>
  );
}

/** The commission's own events, grouped by their position among events of the same time. */
function commissionEvents(commission: Commission) {
  const { clicked_at: clicked, occurred_at: occurred, recorded_at: recorded, reversed_at: reversed } = commission;
  const { held, order_id: order, creator_name: creator, reversal_reason: reason } = commission;
  return {
    order: [
      ...(clicked === null ? [] : [{ key: 'click', at: clicked, title: `Came through a link of ${creator}` }]),
      { key: 'order', at: occurred, title: order === null ? 'Invoice was paid' : 'Order was placed' },
    ],
    commission: order === null ? [{ key: 'recorded', at: recorded, title: 'Commission was opened' }] : [],
    held: held === null ? [] : [{ key: 'held', at: held.since, title: 'Held since then', tone: 'bad' as const }],
    reversed: reversed === null ? [] : [{ key: 'reversed', at: reversed, title: 'Reversed', text: reason, tone: 'bad' as const }],
  } satisfies Readonly<Record<string, readonly TimelineEvent[]>>;
}

/** What happens if nobody acts. A program without a refund hold has no hold to end. */
function expectedEvents(commission: Commission): readonly TimelineEvent[] {
  const { state, held, auto_approve_at: autoAt, hold_until: holdUntil, occurred_at: occurred } = commission;
  const waits = state === 'pending' && held === null && autoAt !== null;
  const hasHold = Date.parse(holdUntil) > Date.parse(occurred);
  return [
    ...(waits ? [{ key: 'auto', at: autoAt, title: 'Approves itself, unless you decide before', tone: 'wait' as const }] : []),
    ...((state === 'pending' || state === 'approved') && hasHold
      ? [{ key: 'hold', at: holdUntil, title: 'Refund hold ends; approved, it is billed after that' }]
      : []),
  ];
}

function postbackEvent(store: string, { id, at, operation, reason, status, explanation }: LogLine): TimelineEvent {
  return {
    key: id,
    at,
    title: (
      <>
        {operationLabels[operation] ?? operation}:{' '}
        <TextLink to="/stores/$store/tracking-log" params={{ store }} search={{ open: id }}>
          {reason}
        </TextLink>
      </>
    ),
    // The explanation of a recorded order is shown above already.
    text: operation === 'conversion' && reason === 'recorded' ? null : explanation,
    tone: status === 200 ? 'good' : 'bad',
  };
}

const decisionLabels: Readonly<Record<Decision['action'], readonly [word: string, tone: 'good' | 'bad' | 'wait']>> = {
  approve: ['Approved', 'good'],
  reject: ['Rejected', 'bad'],
  hold: ['Held', 'bad'],
  release: ['Released', 'good'],
  reopen: ['Reopened', 'wait'],
};

function decisionEvent({ id, at, action, reason, note, by_name: by }: Decision): TimelineEvent {
  const [word, tone] = decisionLabels[action];
  const why = reason === null ? null : action === 'hold' ? reason.replaceAll('_', ' ') : reason;
  return { key: id, at, title: `${word} by ${by}${why === null ? '' : `: ${why}`}`, text: note, tone };
}
