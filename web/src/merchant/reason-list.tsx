import { useQuery } from '@tanstack/react-query';
import { Section } from '../parts/page.tsx';
import { reading } from '../parts/reading.ts';
import { Waiting } from '../parts/table.tsx';
import { logPath, type ReasonCounts } from './tracking-api.ts';
import styles from './tracking-log.module.css';

type ReasonListProps = {
  readonly store: string;
  readonly chosen: string | undefined;
  readonly choose: (reason: string | undefined) => void;
};

/** What the last week was answered with: what is refused again and again stands out, and a press shows its lines. */
export function ReasonList({ store, chosen, choose }: ReasonListProps) {
  const counts = useQuery(reading<ReasonCounts>(`${logPath(store)}/reasons`));
  if (counts.isError || counts.data?.data.length === 0) return null;
  return (
    <Section title="The last seven days, by answer">
      {counts.isPending ? (
        <Waiting lines={2} />
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
