import { TextLink } from '../parts/links.tsx';
import type { Overview } from './overview-api.ts';
import styles from './overview.module.css';
import { postbackAdvice } from './postback-advice.ts';

type RefusedReasonsProps = { readonly store: string; readonly refused: Overview['tracking']['refused'] };

/** Each reason with the way to its reports, and what to do about it. */
export function RefusedReasons({ store, refused }: RefusedReasonsProps) {
  return (
    <ul className={styles.refused}>
      {refused.map(({ reason, count }) => (
        <li key={reason}>
          <span className={styles.many}>{count.toLocaleString('en-GB')}</span>
          <span>
            <TextLink to="/stores/$store/tracking-log" params={{ store }} search={{ reason }}>
              {reason}
            </TextLink>
            <span className={styles.quiet}>{postbackAdvice[reason]}</span>
          </span>
        </li>
      ))}
    </ul>
  );
}
