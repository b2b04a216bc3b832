import { useState } from 'react';
import { Code } from '../parts/code.tsx';
import { Section } from '../parts/page.tsx';
import { Pick } from '../parts/pick.tsx';
import styles from './integration.module.css';
import { clickVariants } from './snippets/save-click.ts';

export function SaveClick() {
  const [name, setName] = useState(clickVariants[0]?.name ?? '');
  const variant = clickVariants.find((one) => one.name === name);
  return (
    <Section
      title="Save the click with the order"
      intro="When the order is placed, store the click beside it. It may be paid days later, when the shopper’s browser is long gone."
    >
      <div className={styles.stack}>
        <Pick label="Way of the click" names={clickVariants.map((one) => one.name)} picked={name} pick={setName} />
        {variant && (
          <>
            <p className={styles.hint}>{variant.note}</p>
            <Code value={variant.code} label="how the click is saved" />
          </>
        )}
      </div>
    </Section>
  );
}
