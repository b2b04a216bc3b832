import { Section } from '../../ui/page.tsx';
import { TextLink } from '../../ui/links.tsx';
import { Time } from '../../ui/time.tsx';
import styles from './integration.module.css';
import type { LiveLog } from './live-log.ts';
import { ResponseChip } from '../tracking/log-table.tsx';
import { operationLabels } from '../tracking/tracking-api.ts';

const shownMax = 6;

/** Requests as they arrive, so that the answer is visible while the developer tests. */
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
              {operationLabels[line.operation] ?? line.operation}{' '}
              <TextLink to="/stores/$store/tracking-log" params={{ store }} search={{ open: line.id }}>
                {line.subject ?? 'without an id'}
              </TextLink>
              <div className={styles.seen}>
                <Time at={line.at} />
              </div>
            </div>
            <ResponseChip line={line} />
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
