import { CopyIcon } from './copy.tsx';
import styles from './code.module.css';

/** Lines of code to be taken along. They scroll by themselves, so that no line is broken where it must not be. */
export function Code({ value, label }: { readonly value: string; readonly label: string }) {
  return (
    <div className={styles.code}>
      {/* What scrolls by itself must be reached by the keyboard. */}
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
