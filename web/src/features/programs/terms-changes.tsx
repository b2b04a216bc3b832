import styles from './simulator.module.css';
import type { TermsChange } from './terms-difference.ts';

type TermsChangesProps = {
  /** Null while the form is invalid. */
  readonly changes: readonly TermsChange[] | null;
  readonly version: number | null;
};

/** Previews what a new version changes. */
export function TermsChanges({ changes, version }: TermsChangesProps) {
  if (changes === null) return <p className={styles.none}>Fill in what is missing, and what changes stands here.</p>;
  if (changes.length === 0)
    return (
      <p className={styles.none}>
        {version === null ? 'Nothing: no new version is made.' : `Nothing: the rules are those of version ${version}.`}
      </p>
    );
  return (
    <ul className={styles.difference}>
      {changes.map(({ kind, text }) => (
        <li key={kind + text}>
          <span className={styles.sign} data-is={kind}>
            {changeLabels[kind]}
          </span>
          <span>{text}</span>
        </li>
      ))}
    </ul>
  );
}

const changeLabels = { new: 'New', gone: 'Gone', changed: 'Changed' } as const;
