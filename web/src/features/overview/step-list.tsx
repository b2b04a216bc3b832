import type { ReactNode } from 'react';
import { Icon } from '../../ui/icons.tsx';
import { Section } from '../../ui/page.tsx';
import styles from './step-list.module.css';

export type SetupStep = { readonly title: string; readonly text: string; readonly isDone: boolean; readonly action?: ReactNode };

/** The setup steps before the first order can earn. Only the next step shows its button. */
export function StepList({ steps }: { readonly steps: readonly SetupStep[] }) {
  const next = steps.findIndex(({ isDone }) => !isDone);
  const doneCount = steps.filter(({ isDone }) => isDone).length;
  return (
    <Section title="First steps" intro={`${doneCount} of ${steps.length} done`}>
      <ol className={styles.steps}>
        {steps.map(({ title, text, isDone, action }, place) => (
          <li key={title} className={styles.step} data-done={isDone || undefined} aria-current={place === next ? 'step' : undefined}>
            <span className={styles.tick} aria-hidden="true">
              {isDone ? <Icon name="check" size={14} /> : place + 1}
            </span>
            <div className={styles.words}>
              <strong>{title}</strong>
              {isDone && <span className={styles.aloud}> (done)</span>}
              {!isDone && <div className={styles.text}>{text}</div>}
            </div>
            {place === next && action}
          </li>
        ))}
      </ol>
    </Section>
  );
}
