import { useState } from 'react';
import { CodeBlock } from '../../ui/code.tsx';
import { Section } from '../../ui/page.tsx';
import { SegmentedControl } from '../../ui/segmented-control.tsx';
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
        <SegmentedControl label="Way of the click" options={clickVariants.map((one) => one.name)} value={name} onChange={setName} />
        {variant && (
          <>
            <p className={styles.hint}>{variant.note}</p>
            <CodeBlock value={variant.code} label="how the click is saved" />
          </>
        )}
      </div>
    </Section>
  );
}
