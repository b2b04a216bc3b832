import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icons.tsx';
import styles from './view-as-bar.module.css';
import { endViewAs, type ViewAs } from '../../session/view-as.ts';
import { t } from '../messages.ts';
import { rich } from '../../messages/rich-text.tsx';

/** Shown on every page while an operator views another account. */
export function ViewAsBar({ viewed }: { readonly viewed: ViewAs }) {
  return (
    <section aria-label={t.view_as_bar.viewing} className={styles.bar}>
      <Icon name="shield" />
      <p className={styles.text}>{rich(t.view_as_bar.youre_viewing_this_page_as, { b: <strong>{viewed.name}</strong> })}</p>
      <Button size="xs" variant="default" onClick={() => endViewAs(viewed)}>
        {t.view_as_bar.end_viewing}
      </Button>
    </section>
  );
}
