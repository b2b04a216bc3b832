import { Section } from '../parts/page.tsx';
import { TextLink } from '../parts/links.tsx';
import { Time } from '../parts/time.tsx';
import styles from './integration.module.css';
import type { LiveLog } from './live-log.ts';
import { AnswerChip } from './log-table.tsx';
import { operationWords } from './tracking-api.ts';

const shownMax = 6;

/** What arrives while one is trying: the answer stands there before the terminal is closed. */
export function LiveRequests({ store, live }: { readonly store: string; readonly live: LiveLog }) {
  return (
    <Section title="Requests, as they arrive">
      <p className={styles.listening} role="status" data-connected={live.isConnected || undefined}>
        {live.isConnected ? 'Listening. Send something, and it appears here.' : 'Connecting…'}
      </p>
      <ul className={styles.requests} aria-live="polite">
        {live.lines.slice(0, shownMax).map((line) => (
          <li key={line.id} className={styles.request}>
            <div className={styles.words}>
              {operationWords[line.operation] ?? line.operation}{' '}
              <TextLink to="/stores/$store/tracking-log" params={{ store }} search={{ open: line.id }}>
                {line.subject ?? 'without an id'}
              </TextLink>
              <div className={styles.seen}>
                <Time at={line.at} />
              </div>
            </div>
            <AnswerChip line={line} />
          </li>
        ))}
      </ul>
      <p className={styles.hint}>
        What was before stands in the{' '}
        <TextLink to="/stores/$store/tracking-log" params={{ store }}>
          tracking log
        </TextLink>
        . A request without a right key proves nobody: it is answered with 401, and stands in neither.
      </p>
    </Section>
  );
}
