import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { PostbackKey, Program, Store } from '../../api/api-schema.ts';
import { Icon } from '../../ui/icons.tsx';
import { ButtonLink } from '../../ui/links.tsx';
import { Section } from '../../ui/page.tsx';
import { usePermission, type Scope } from '../access/permissions.tsx';
import { postbackKeysQuery } from '../integration/postback-keys-api.ts';
import { programsQuery } from '../programs/programs-api.ts';
import styles from './setup-steps.module.css';

/**
 * A step is done only by evidence; the list disappears when all are done. Links to forms that the person's role does not allow are not
 * shown.
 */
export function SetupSteps({ currentStore }: { readonly currentStore: Store }) {
  const keys = useInfiniteQuery(postbackKeysQuery(currentStore.id));
  const programs = useInfiniteQuery(programsQuery(currentStore.id));
  const may = usePermission(currentStore.id);
  if (!keys.isSuccess || !programs.isSuccess) return null;
  const steps = stepsOf(currentStore, may, {
    keys: keys.data.pages.flatMap(({ data }) => data),
    programs: programs.data.pages.flatMap(({ data }) => data),
  });
  return steps.every(({ isDone }) => isDone) ? null : <StepList steps={steps} />;
}

type Evidence = { readonly keys: readonly PostbackKey[]; readonly programs: readonly Program[] };

function stepsOf(currentStore: Store, may: (scope: Scope) => boolean, { keys, programs }: Evidence): readonly SetupStep[] {
  const params = { store: currentStore.id };
  const integrationLink = (label: string) =>
    may('integration:write') && (
      <ButtonLink size="xs" to="/stores/$store/integration" params={params}>
        {label}
      </ButtonLink>
    );
  return [
    {
      title: 'Make a postback key',
      text: 'Your server reports paid orders with it.',
      isDone: keys.length > 0,
      action: integrationLink('Create key'),
    },
    {
      title: 'Send the first postback',
      text: 'Put the script tag on your pages and the key on your server; the key’s first use ticks this.',
      isDone: currentStore.tracking_on || keys.some(({ last_used_at: used }) => used !== null),
      action: integrationLink('See how'),
    },
    {
      title: 'Switch tracking on',
      text: 'A test order that goes all the way, from click to postback, does it by itself.',
      isDone: currentStore.tracking_on,
      action: integrationLink('Make a test link'),
    },
    {
      title: 'Create a program',
      text: 'For how long a click counts, and what orders are held for.',
      isDone: programs.length > 0,
      action: may('programs:write') && (
        <ButtonLink size="xs" to="/stores/$store/new-program" params={params}>
          Create a program
        </ButtonLink>
      ),
    },
    {
      title: 'Write its terms and publish it',
      text: 'Say what partners earn; from then on its links earn it. It needs tracking to be on.',
      isDone: programs.some(({ first_published_at: at }) => at !== null),
      action: may('programs:write') && (
        <ButtonLink size="xs" to="/stores/$store/programs" params={params}>
          Open the programs
        </ButtonLink>
      ),
    },
  ];
}

type SetupStep = { readonly title: string; readonly text: string; readonly isDone: boolean; readonly action?: ReactNode };

/** The setup steps before the first order can earn. Only the next step shows its button. */
function StepList({ steps }: { readonly steps: readonly SetupStep[] }) {
  const next = steps.findIndex(({ isDone }) => !isDone);
  const doneCount = steps.filter(({ isDone }) => isDone).length;
  return (
    <Section title="First steps" intro={`${doneCount} of ${steps.length} done`}>
      <ol className={styles.steps}>
        {steps.map(({ title, text, isDone, action }, index) => (
          <li key={title} className={styles.step} data-done={isDone || undefined} aria-current={index === next ? 'step' : undefined}>
            <span className={styles.tick} aria-hidden="true">
              {isDone ? <Icon name="check" size={14} /> : index + 1}
            </span>
            <div className={styles.textBlock}>
              <strong>{title}</strong>
              {isDone && <span className={styles.visuallyHidden}> (done)</span>}
              {!isDone && <div className={styles.text}>{text}</div>}
            </div>
            {index === next && action}
          </li>
        ))}
      </ol>
    </Section>
  );
}
