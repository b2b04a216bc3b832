import { CopyIcon } from './copy.tsx';
import styles from './code.module.css';

/** A code block that scrolls sideways, because line breaks would change the code. */
export function CodeBlock({ value, label }: { readonly value: string; readonly label: string }) {
  return (
    <div className={styles.code}>
      {/* A scrollable region must be reachable by keyboard. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <pre className={styles.lines} tabIndex={0} role="group" aria-label={label}>
        {value}
      </pre>
      <div className={styles.copy}>
        <CopyIcon value={value} label={label} />
      </div>
    </div>
  );
}
