import { useQuery } from '@tanstack/react-query';
import { Link, useRouteContext } from '@tanstack/react-router';
import { unreadQuery } from '../../features/notifications/inbox-api.ts';
import { Icon } from '../../ui/icons.tsx';
import styles from './sidebar.module.css';
import { t } from '../messages.ts';

const refetchMs = 60_000;
const shownMax = 99;

/** The notifications of the signed-in person. An operator who views another account does not see that person's. */
export function InboxLink() {
  const { viewAs } = useRouteContext({ from: '/signed-in' }).session;
  const unread = useQuery({ ...unreadQuery, refetchInterval: refetchMs, enabled: viewAs === undefined }).data?.unread ?? 0;
  if (viewAs !== undefined) return null;
  const text = unread > shownMax ? `${shownMax}+` : String(unread);
  return (
    <Link to="/notifications" className={styles.link}>
      <Icon name="bell" />
      <span className={styles.linkLabel}>{t.navigation.notifications}</span>
      {unread > 0 && (
        <span className={styles.count}>
          <span aria-hidden="true">{text}</span>
          <span className="visually-hidden">{t.navigation_counts.unread({ count: text })}</span>
        </span>
      )}
    </Link>
  );
}
