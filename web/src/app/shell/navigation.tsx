import { useQuery } from '@tanstack/react-query';
import { Link, useRouterState } from '@tanstack/react-router';
import { useId } from 'react';
import { apiPath } from '../../api/operations.ts';
import type { PendingWork } from '../../../../sdk/src/api-schema.ts';
import { Icon } from '../../ui/icons.tsx';
import { apiQuery } from '../../ui/queries.ts';
import { accountPages, creatorPages, storePages, type NavigationGroup, type NavigationPage } from './navigation-pages.ts';
import styles from './sidebar.module.css';
import { t } from '../messages.ts';

/** Others change the counts too. */
const countsRefetchMs = 60_000;

export function StoreNavigation({ store }: { readonly store: string }) {
  const path = apiPath('/stores/{store}/pending-work', { store });
  const counts = useQuery({ ...apiQuery(path), refetchInterval: countsRefetchMs, meta: { refreshesWithAll: true } }).data;
  const isOnDisputes = useRouterState({ select: ({ location }) => location.pathname === apiPath('/stores/{store}/disputes', { store }) });
  // Disputes are rare: the link is shown while one is open, and on the disputes page itself.
  const isShown = ({ counts: counted }: NavigationPage) => counted !== 'open_disputes' || isOnDisputes || (counts?.open_disputes ?? 0) > 0;
  const groups = storePages(store).map((group) => ({ ...group, pages: group.pages.filter(isShown) }));
  return <NavigationGroups groups={groups} counts={counts} />;
}

export const CreatorNavigation = () => <NavigationGroups groups={creatorPages()} />;
export const AccountNavigation = () => <NavigationGroups groups={accountPages()} />;

type NavigationGroupsProps = { readonly groups: readonly NavigationGroup[]; readonly counts?: PendingWork | undefined };

export function NavigationGroups({ groups, counts }: NavigationGroupsProps) {
  return groups.map(({ title, pages }) => (
    <NavigationSection key={title ?? 'first'} title={title}>
      {pages.map((page) => (
        <li key={page.link.to}>
          <NavigationLink page={page} count={page.counts === undefined ? 0 : (counts?.[page.counts] ?? 0)} />
        </li>
      ))}
    </NavigationSection>
  ));
}

function NavigationSection({ title, children }: { readonly title: string | null; readonly children: React.ReactNode }) {
  const id = useId();
  return (
    <div className={styles.group}>
      {title !== null && (
        <p id={id} className={styles.groupTitle}>
          {title}
        </p>
      )}
      <ul aria-labelledby={title === null ? undefined : id} className={styles.groupLinks}>
        {children}
      </ul>
    </div>
  );
}

/** What a count means, for screen readers. */
const countTexts: Readonly<Record<keyof PendingWork, (count: string) => string>> = {
  to_review: (count) => t.navigation_counts.to_review({ count }),
  open_disputes: (count) => t.navigation_counts.open_disputes({ count }),
  unpaid_invoices: (count) => t.navigation_counts.unpaid_invoices({ count }),
  applications: (count) => t.navigation_counts.applications({ count }),
};
const countShownMax = 99;

function NavigationLink({
  page: { icon, label, link, exact = false, counts, opens = [] },
  count,
}: {
  readonly page: NavigationPage;
  readonly count: number;
}) {
  const text = count > countShownMax ? `${countShownMax}+` : String(count);
  const isOpened = useRouterState({ select: ({ location }) => location.pathname.split('/').some((part) => opens.includes(part)) });
  return (
    <Link {...link} className={styles.link} activeOptions={{ exact }} {...(isOpened && { 'aria-current': 'page' as const })}>
      <Icon name={icon} />
      <span className={styles.linkLabel}>{label}</span>
      {counts !== undefined && count > 0 && (
        <span className={styles.count} data-urgent={counts === 'unpaid_invoices' || undefined}>
          <span aria-hidden="true">{text}</span>
          <span className="visually-hidden">{countTexts[counts](text)}</span>
        </span>
      )}
    </Link>
  );
}
