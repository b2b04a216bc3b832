import styles from './simulator.module.css';
import type { Difference } from './terms-difference.ts';

type TermsChangesProps = {
  /** Null while what is typed makes no sense. */
  readonly changes: readonly Difference[] | null;
  readonly version: number | null;
};

/** Before a version is made: what it changes, in words, while it is typed. */
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
      {changes.map(({ is, words }) => (
        <li key={is + words}>
          <span className={styles.sign} data-is={is}>
            {signs[is]}
          </span>
          <span>{words}</span>
        </li>
      ))}
    </ul>
  );
}

const signs = { new: 'New', gone: 'Gone', changed: 'Changed' } as const;
