import { Tooltip } from '@mantine/core';
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

/** Browsers treat a reason code as one long word: this allows line breaks after its underscores. */
const breakable = (word: string): ReactNode =>
  word.split(/(?<=_)/).map((part, index) => (
    <Fragment key={`${index} ${part}`}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ));
