import { Icon } from '../../ui/icons.tsx';
import { TextLink } from '../../ui/links.tsx';
import { Section } from '../../ui/page.tsx';
import type { IntegrationState } from './integration-api.ts';
import styles from './integration.module.css';

type GoLiveChecklistProps = { readonly store: string; readonly items: IntegrationState['go_live']; readonly isReady: boolean };

/** The checklist before real orders; no item is checked by hand. */
export function GoLiveChecklist({ store, items, isReady }: GoLiveChecklistProps) {
  const done = items.filter(({ is_done: isDone }) => isDone).length;
  return (
    <Section
      title="Before you go live"
      intro={isReady ? 'Everything is there. Real orders earn from now on.' : `${done} of ${items.length} done. It ticks itself.`}
    >
      <ul className={styles.lights}>
        {items.map(({ item, is_done: isDone, text }) => (
          <li key={item} className={styles.light}>
            <span className={styles.tick} data-done={isDone || undefined} aria-hidden="true">
              {isDone && <Icon name="check" size={14} />}
            </span>
            <span className={styles.aloud}>{isDone ? 'Done: ' : 'To do: '}</span>
            <div className={styles.words}>{text}</div>
            {!isDone && ['program', 'link'].includes(item) && (
              <TextLink to="/stores/$store/programs" params={{ store }}>
                Programs
              </TextLink>
            )}
          </li>
        ))}
      </ul>
    </Section>
  );
}
