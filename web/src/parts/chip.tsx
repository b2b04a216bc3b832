import { Tooltip } from '@mantine/core';
import { useId } from 'react';
import styles from './chip.module.css';

export type Tone = 'good' | 'wait' | 'bad' | 'calm';

/** The word of a state, which explains itself: pointed at, focused, touched or read aloud. */
export function Chip({ word, tone, meaning }: { readonly word: string; readonly tone: Tone; readonly meaning: string }) {
  const id = useId();
  return (
    <>
      <Tooltip label={meaning}>
        <button type="button" className={styles.chip} data-tone={tone} aria-describedby={id}>
          {word}
        </button>
      </Tooltip>
      <span id={id} hidden>
        {meaning}
      </span>
    </>
  );
}
