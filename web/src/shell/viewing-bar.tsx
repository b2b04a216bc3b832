import { Button } from '@mantine/core';
import { Icon } from '../parts/icons.tsx';
import styles from './viewing-bar.module.css';
import { endViewing, type Viewing } from './viewing.ts';

/** Stays in sight on every page while an operator looks at what is another's. */
export function ViewingBar({ viewed }: { readonly viewed: Viewing }) {
  return (
    <section aria-label="Viewing" className={styles.bar}>
      <Icon name="shield" />
      <p className={styles.words}>
        You view this as <strong>{viewed.name}</strong>. Nothing can be changed, and the audit log says that you looked.
      </p>
      <Button size="xs" variant="default" onClick={() => endViewing(viewed)}>
        End viewing
      </Button>
    </section>
  );
}
