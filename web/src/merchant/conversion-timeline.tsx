import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { DrawerPart } from '../parts/drawer.tsx';
import { TextLink } from '../parts/links.tsx';
import { listing, reading } from '../parts/reading.ts';
import { Waiting } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { commissionsPath, type Commission, type Decision, type Story } from './commissions-api.ts';
import { ConversionLedger } from './conversion-ledger.tsx';
import { inOrder, type Moment } from './conversion-moment.ts';
import { moneyMoments } from './conversion-money.tsx';
import styles from './conversions.module.css';
import { orderReports } from './order-reports.ts';
import { operationWords, type LogLine } from './tracking-api.ts';

const onceMore = 'Open it once more in a minute.';

type TimelineProps = { readonly store: string; readonly commission: Commission };

/** Everything that happened, the earliest first, with what will happen if nobody does anything at its end. */
export function ConversionTimeline({ store, commission }: TimelineProps) {
  const decisions = useInfiniteQuery(listing<Decision>(`${commissionsPath(store)}/${commission.id}/decisions`));
  const order = commission.order_id;
  const reports = useQuery({ ...orderReports(store, order ?? ''), enabled: order !== null });
  const story = useQuery(reading<Story>(`${commissionsPath(store)}/${commission.id}/story`));
  if (decisions.isPending || story.isPending || (order !== null && reports.isPending)) return <Waiting />;
  const past = pastMoments(commission);
  const moments = inOrder([
    ...past.order,
    ...(reports.data?.lines ?? []).map((line) => postbackMoment(store, line)).toReversed(),
    ...past.commission,
    ...(decisions.data?.pages.flatMap(({ data }) => data) ?? []).map(decisionMoment).toReversed(),
    ...past.held,
    ...(story.isSuccess ? moneyMoments(store, story.data) : []),
    ...past.reversed,
    ...comingMoments(commission),
  ]);
  return (
    <>
      <DrawerPart title="What happened">
        <ol className={styles.timeline}>
          {moments.map(({ key, at, title, text, tone }) => (
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
        {decisions.isError && <p>What was decided on it could not be read. {onceMore}</p>}
        {reports.data?.mayLack && <p>Older reports of your server about it may stand in the tracking log, and are not shown here.</p>}
        {reports.isError && <p>What your server reported of it could not be read. {onceMore}</p>}
        {story.isError && <p>What became of its bill could not be read. {onceMore}</p>}
      </DrawerPart>
      {story.isSuccess && <ConversionLedger lines={story.data.ledger} />}
    </>
  );
}

/** What the commission itself tells, by its place among moments of the same time. */
function pastMoments(commission: Commission) {
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
  } satisfies Readonly<Record<string, readonly Moment[]>>;
}

/** What will happen if nobody acts. A program without a refund hold has no hold that could end. */
function comingMoments(commission: Commission): readonly Moment[] {
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

function postbackMoment(store: string, { id, at, operation, reason, status, explanation }: LogLine): Moment {
  return {
    key: id,
    at,
    title: (
      <>
        {operationWords[operation] ?? operation}:{' '}
        <TextLink to="/stores/$store/tracking-log" params={{ store }} search={{ open: id }}>
          {reason}
        </TextLink>
      </>
    ),
    // Why an accepted order earns what it earns is told above already.
    text: operation === 'conversion' && reason === 'recorded' ? null : explanation,
    tone: status === 200 ? 'good' : 'bad',
  };
}

const decided: Readonly<Record<Decision['action'], readonly [word: string, tone: 'good' | 'bad' | 'wait']>> = {
  approve: ['Approved', 'good'],
  reject: ['Rejected', 'bad'],
  hold: ['Held', 'bad'],
  release: ['Released', 'good'],
  reopen: ['Reopened', 'wait'],
};

function decisionMoment({ id, at, action, reason, note, by_name: by }: Decision): Moment {
  const [word, tone] = decided[action];
  const why = reason === null ? null : action === 'hold' ? reason.replaceAll('_', ' ') : reason;
  return { key: id, at, title: `${word} by ${by}${why === null ? '' : `: ${why}`}`, text: note, tone };
}
