import styles from './environment-banner.module.css';
import { Icon } from './icons.tsx';
import { t } from './messages.ts';

/** The service writes its mode into the page, so that pages before sign-in know it without a request. */
const mode = document.querySelector<HTMLMetaElement>('meta[name="tributary-mode"]')?.content;

/** Says on every page of a sandbox that nothing is real. */
export function EnvironmentBanner() {
  if (mode !== 'sandbox') return null;
  return (
    <p className={styles.banner} role="note">
      <Icon name="flask" size={16} />
      <span>
        <strong>{t.environment_banner.sandbox}</strong> {t.environment_banner.test_data_only}
      </span>
    </p>
  );
}
