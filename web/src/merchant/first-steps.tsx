import type { ReactNode } from 'react';
import { Icon } from '../parts/icons.tsx';
import { Section } from '../parts/page.tsx';
import styles from './first-steps.module.css';

export type Step = { readonly title: string; readonly text: string; readonly isDone: boolean; readonly way?: ReactNode };

/** What is to be done before the first order earns. Only the next step has its button: one thing at a time. */
export function FirstSteps({ steps }: { readonly steps: readonly Step[] }) {
  const next = steps.findIndex(({ isDone }) => !isDone);
  const doneCount = steps.filter(({ isDone }) => isDone).length;
  return (
    <Section title="First steps" intro={`${doneCount} of ${steps.length} done`}>
      <ol className={styles.steps}>
        {steps.map(({ title, text, isDone, way }, place) => (
          <li key={title} className={styles.step} data-done={isDone || undefined} aria-current={place === next ? 'step' : undefined}>
            <span className={styles.tick} aria-hidden="true">
              {isDone ? <Icon name="check" size={14} /> : place + 1}
            </span>
            <div className={styles.words}>
              <strong>{title}</strong>
              {isDone && <span className={styles.aloud}> (done)</span>}
              {!isDone && <div className={styles.text}>{text}</div>}
            </div>
            {place === next && way}
          </li>
        ))}
      </ol>
    </Section>
  );
}
