import { Tooltip } from '@mantine/core';
import styles from './chip.module.css';

export type Tone = 'good' | 'wait' | 'bad' | 'calm';

/** The word of a state, which explains itself: pointed at, focused or touched. */
export function Chip({ word, tone, meaning }: { readonly word: string; readonly tone: Tone; readonly meaning: string }) {
  return (
    <Tooltip label={meaning}>
      <button type="button" className={styles.chip} data-tone={tone} aria-description={meaning}>
        {word}
      </button>
    </Tooltip>
  );
}
