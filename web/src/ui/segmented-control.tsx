import styles from './segmented-control.module.css';

type SegmentedControlProps<Name extends string> = {
  /** The name of the group, for screen readers. */
  readonly label: string;
  readonly options: readonly Name[];
  readonly value: Name;
  readonly onChange: (name: Name) => void;
};

/** A choice between a few options, shown as buttons. */
export function SegmentedControl<Name extends string>({ label, options, value, onChange }: SegmentedControlProps<Name>) {
  return (
    <div className={styles.control} role="group" aria-label={label}>
      {options.map((name) => (
        <button key={name} type="button" className={styles.option} aria-pressed={name === value} onClick={() => onChange(name)}>
          {name}
        </button>
      ))}
    </div>
  );
}
