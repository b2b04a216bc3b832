import styles from './conversions.module.css';

const moves = [
  ['J', 'next'],
  ['K', 'previous'],
  ['Enter', 'open'],
] as const;
const decisions = [
  ['X', 'select'],
  ['A', 'approve'],
  ['R', 'reject'],
  ['H', 'hold'],
  ['L', 'release'],
  ['O', 'reopen'],
  ['U', 'undo'],
] as const;

/** What the keys do, where they do it. */
export function QueueHelp({ mayReview }: { readonly mayReview: boolean }) {
  return (
    <p className={styles.help}>
      <span>With the keyboard, on a row:</span>
      {[...moves, ...(mayReview ? decisions : [])].map(([key, does]) => (
        <span key={key}>
          <kbd>{key}</kbd> {does}
        </span>
      ))}
      {mayReview && <span>They decide on what is selected, or else on that row.</span>}
    </p>
  );
}
