import styles from './pick.module.css';

type PickProps = {
  /** What is picked, for who does not see it. */
  readonly label: string;
  readonly names: readonly string[];
  readonly picked: string;
  readonly pick: (name: string) => void;
};

/** One of a few: the same thing said in several ways. */
export function Pick({ label, names, picked, pick }: PickProps) {
  return (
    <div className={styles.pick} role="group" aria-label={label}>
      {names.map((name) => (
        <button key={name} type="button" className={styles.one} aria-pressed={name === picked} onClick={() => pick(name)}>
          {name}
        </button>
      ))}
    </div>
  );
}
