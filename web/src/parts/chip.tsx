import { Tooltip } from '@mantine/core';
import { Fragment, useId, type ReactNode } from 'react';
import styles from './chip.module.css';

export type Tone = 'good' | 'wait' | 'bad' | 'calm';

/** The word of a state, which explains itself: pointed at, focused, touched or read aloud. */
export function Chip({ word, tone, meaning }: { readonly word: string; readonly tone: Tone; readonly meaning: string }) {
  const id = useId();
  return (
    <>
      <Tooltip label={meaning}>
        <button type="button" className={styles.chip} data-tone={tone} aria-describedby={id}>
          <span>{breakable(word)}</span>
        </button>
      </Tooltip>
      <span id={id} hidden>
        {meaning}
      </span>
    </>
  );
}

/** A reason is one long word to a browser: where it has to be broken, then after one of its own words. */
const breakable = (word: string): ReactNode =>
  word.split(/(?<=_)/).map((part, place) => (
    <Fragment key={`${place} ${part}`}>
      {place > 0 && <wbr />}
      {part}
    </Fragment>
  ));
