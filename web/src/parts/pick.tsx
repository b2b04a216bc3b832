import styles from './pick.module.css';

type PickProps<Name extends string> = {
  /** What is picked, for who does not see it. */
  readonly label: string;
  readonly names: readonly Name[];
  readonly picked: Name;
  readonly pick: (name: Name) => void;
};

/** One of a few: the same thing said in several ways. */
export function Pick<Name extends string>({ label, names, picked, pick }: PickProps<Name>) {
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
