import type { ReactNode } from 'react';
import { Icon } from './icons.tsx';
import styles from './step-list.module.css';

export type Step = { readonly title: string; readonly text: string; readonly isDone: boolean; readonly action?: ReactNode };

/** Only the next step shows its button. `complete` is read by screen readers for each step that is done. */
export function StepList({ steps, complete }: { readonly steps: readonly Step[]; readonly complete: string }) {
  const next = steps.findIndex(({ isDone }) => !isDone);
  return (
    <ol className={styles.steps}>
      {steps.map(({ title, text, isDone, action }, index) => (
        <li key={title} className={styles.step} data-done={isDone || undefined} aria-current={index === next ? 'step' : undefined}>
          <span className={styles.tick} aria-hidden="true">
            {isDone ? <Icon name="check" size={14} /> : index + 1}
          </span>
          <div className={styles.content}>
            <div className={styles.textBlock}>
              <strong>{title}</strong>
              {isDone && <span className="visually-hidden">{complete}</span>}
              {!isDone && <div className={styles.text}>{text}</div>}
            </div>
            {index === next && action}
          </div>
        </li>
      ))}
    </ol>
  );
}
