import { useQuery } from '@tanstack/react-query';
import { Section } from '../../ui/page.tsx';
import { apiQuery } from '../../ui/queries.ts';
import { LoadingSkeleton } from '../../ui/table.tsx';
import { logPath, type ReasonCounts } from './tracking-api.ts';
import styles from './tracking-log.module.css';

type ReasonCountListProps = {
  readonly store: string;
  readonly chosen: string | undefined;
  readonly choose: (reason: string | undefined) => void;
};

/** Counts of the last seven days by reason, so that repeated failures stand out. Clicking a reason filters the log. */
export function ReasonCountList({ store, chosen, choose }: ReasonCountListProps) {
  const counts = useQuery(apiQuery<ReasonCounts>(`${logPath(store)}/reasons`));
  if (counts.isError || counts.data?.data.length === 0) return null;
  return (
    <Section title="The last seven days, by answer">
      {counts.isPending ? (
        <LoadingSkeleton lines={2} />
      ) : (
        <ul className={styles.reasons}>
          {counts.data.data.map(({ reason, means, accepted, count, has_more: hasMore }) => (
            <li key={reason}>
              <button
                type="button"
                className={styles.reason}
                data-accepted={accepted || undefined}
                aria-pressed={chosen === reason}
                title={means}
                onClick={() => choose(chosen === reason ? undefined : reason)}
              >
                <span className={styles.count}>
                  {count.toLocaleString('en-GB')}
                  {hasMore && '+'}
                </span>
                {reason}
              </button>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}
