import styles from './conversions.module.css';

const navigationKeys = [
  ['J', 'next'],
  ['K', 'previous'],
  ['Enter', 'open'],
] as const;
const reviewKeys = [
  ['X', 'select'],
  ['A', 'approve'],
  ['R', 'reject'],
  ['H', 'hold'],
  ['L', 'release'],
  ['O', 'reopen'],
  ['U', 'undo'],
] as const;

/** The keyboard shortcuts of the review queue. */
export function ShortcutHelp({ mayReview }: { readonly mayReview: boolean }) {
  return (
    <p className={styles.help}>
      <span>With the keyboard, on a row:</span>
      {[...navigationKeys, ...(mayReview ? reviewKeys : [])].map(([key, does]) => (
        <span key={key}>
          <kbd>{key}</kbd> {does}
        </span>
      ))}
      {mayReview && <span>They decide on what is selected, or else on that row.</span>}
    </p>
  );
}
