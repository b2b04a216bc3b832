import { Tooltip } from './tooltip.tsx';
import { Fragment, useId, type ReactNode } from 'react';
import styles from './chip.module.css';

export type Tone = 'good' | 'wait' | 'bad' | 'neutral';

/** The label of a state, with an explanation on hover, focus and touch and for screen readers. */
export function Chip({ label, tone, meaning }: { readonly label: string; readonly tone: Tone; readonly meaning: string }) {
  const id = useId();
  return (
    <>
      <Tooltip label={meaning}>
        <button type="button" className={styles.chip} data-tone={tone} aria-describedby={id}>
          <span>{breakable(label)}</span>
        </button>
      </Tooltip>
      <span id={id} hidden>
        {meaning}
      </span>
    </>
  );
}

/** What people read of each state of an entity. */
export type StatusTexts<State extends string> = Readonly<Record<State, readonly [label: string, tone: Tone, meaning: string]>>;

/** The chip of a state, from the table of its entity. */
export function StatusChip<State extends string>({ texts, state }: { readonly texts: StatusTexts<State>; readonly state: State }) {
  const [label, tone, meaning] = texts[state];
  return <Chip label={label} tone={tone} meaning={meaning} />;
}

/** Browsers treat a reason code as one long word: this allows line breaks after its underscores. */
const breakable = (word: string): ReactNode =>
  word.split(/(?<=_)/).map((part, index) => (
    <Fragment key={`${index} ${part}`}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ));
