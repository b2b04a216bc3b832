import type { StoreOverview } from '../../../../sdk/src/api-schema.ts';
import { TextLink } from '../../ui/links.tsx';
import styles from '../overview/overview.module.css';
import { postbackAdvice } from './postback-advice.ts';
import { formats } from '../../messages/messages.ts';

type FailedPostbackReasonsProps = { readonly store: string; readonly refused: StoreOverview['tracking']['refused'] };

/** Each reason with a link to its requests and advice. */
export function FailedPostbackReasons({ store, refused }: FailedPostbackReasonsProps) {
  return (
    <ul className={styles.failedReasons}>
      {refused.map(({ reason, count }) => (
        <li key={reason}>
          <span className={styles.count}>{formats.number(count)}</span>
          <span>
            {postbackAdvice[reason]}
            <TextLink to="/stores/$store/tracking-log" params={{ store }} search={{ reason }}>
              {reason}
            </TextLink>
          </span>
        </li>
      ))}
    </ul>
  );
}
