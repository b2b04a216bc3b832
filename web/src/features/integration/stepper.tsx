import { Button } from '../../ui/button.tsx';
import { useId, useState, type ReactNode } from 'react';
import type { IntegrationCheck } from '../../../../sdk/src/api-schema.ts';
import { Icon } from '../../ui/icons.tsx';
import { Time } from '../../ui/time.tsx';
import styles from './stepper.module.css';
import { t } from './messages.ts';

export type IntegrationStep = {
  /** Also the hash of a link to the step. */
  readonly id: string;
  readonly title: string;
  readonly isDone: boolean;
  /** What the service saw, which proves the step. */
  readonly proof: ReadonlyArray<IntegrationCheck & { readonly title: string }>;
  readonly content: ReactNode | ((openNext: () => void) => ReactNode);
};

type StepperProps = { readonly steps: readonly IntegrationStep[]; readonly first: string | undefined };

/** One step is open at a time. It stays open when its proof arrives, so that nothing moves while a person reads. */
export function Stepper({ steps, first }: StepperProps) {
  const [opened, setOpened] = useState<string | null>(first ?? steps.find(({ isDone }) => !isDone)?.id ?? null);
  return (
    <ol className={styles.steps}>
      {steps.map((step, index) => (
        <Step
          key={step.id}
          step={step}
          number={index + 1}
          isOpen={step.id === opened}
          toggle={() => setOpened(step.id === opened ? null : step.id)}
          next={steps[index + 1]}
          open={setOpened}
        />
      ))}
    </ol>
  );
}

type StepProps = {
  readonly step: IntegrationStep;
  readonly number: number;
  readonly isOpen: boolean;
  readonly toggle: () => void;
  readonly next: IntegrationStep | undefined;
  readonly open: (id: string) => void;
};

function Step({ step: { id, title, isDone, proof, content }, number, isOpen, toggle, next, open }: StepProps) {
  const bodyId = useId();
  const openNext = () => next !== undefined && !next.isDone && openAndFocus(next.id, open);
  return (
    <li id={id} className={styles.step} data-done={isDone || undefined} data-open={isOpen || undefined}>
      <h2 className={styles.heading}>
        <button type="button" className={styles.head} aria-expanded={isOpen} aria-controls={bodyId} onClick={toggle}>
          <span className={styles.number} aria-hidden="true">
            {isDone ? <Icon name="check" size={16} /> : number}
          </span>
          <span className={styles.title}>{title}</span>
          <span className={styles.status}>{statusText(isDone, proof)}</span>
          <Icon name="down" size={16} />
        </button>
      </h2>
      {/* A closed step keeps what was chosen and filled in. */}
      <div id={bodyId} hidden={!isOpen} className={styles.body}>
        {proof.length > 0 && <Proof proof={proof} />}
        {typeof content === 'function' ? content(openNext) : content}
        {next !== undefined && (
          <Button variant="default" onClick={() => openAndFocus(next.id, open)}>
            {t.stepper.continue({ title: next.title })}
          </Button>
        )}
      </div>
    </li>
  );
}

function openAndFocus(id: string, open: (id: string) => void): void {
  open(id);
  const head = document.getElementById(id)?.querySelector('button');
  head?.focus({ preventScroll: true });
  requestAnimationFrame(() => head?.scrollIntoView({ block: 'start' }));
}

function statusText(isDone: boolean, proof: IntegrationStep['proof']): string {
  if (isDone) return t.stepper.done;
  const passed = proof.filter(({ is_on: isOn }) => isOn).length;
  return proof.length > 1 && passed > 0 ? t.stepper.of_checks_passed({ passed, count: proof.length }) : t.stepper.to_do;
}

const Proof = ({ proof }: Pick<IntegrationStep, 'proof'>) => (
  <ul className={styles.proof} aria-label={t.stepper.integration_checks_of_this_step}>
    {proof.map(({ light, title, is_on: isOn, seen, at }) => (
      <li key={light} data-on={isOn || undefined}>
        <span className={styles.mark} aria-hidden="true">
          <Icon name={isOn ? 'check' : 'clock'} size={14} />
        </span>
        <div>
          <strong>{title}</strong>
          <span className="visually-hidden">{isOn ? t.stepper.passed : t.stepper.not_yet}</span>
          <div className={styles.seen}>
            {seen} {at !== null && <Time at={at} />}
          </div>
        </div>
      </li>
    ))}
  </ul>
);
