import { Button } from '@mantine/core';
import { Icon } from '../../ui/icons.tsx';
import styles from './view-as-bar.module.css';
import { endViewAs, type ViewAs } from '../../session/view-as.ts';

/** Shown on every page while an operator views another account. */
export function ViewAsBar({ viewed }: { readonly viewed: ViewAs }) {
  return (
    <section aria-label="Viewing" className={styles.bar}>
      <Icon name="shield" />
      <p className={styles.text}>
        You view this as <strong>{viewed.name}</strong>. Nothing can be changed, and the audit log says that you looked.
      </p>
      <Button size="xs" variant="default" onClick={() => endViewAs(viewed)}>
        End viewing
      </Button>
    </section>
  );
}
