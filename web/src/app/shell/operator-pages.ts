import type { Session } from '../../session/session.ts';
import type { NavigationGroup } from './navigation-pages.ts';
import { t } from '../messages.ts';

/** The pages of the operator console, for the menu and the command palette. */
export function operatorPages(mode: Session['mode']): readonly NavigationGroup[] {
  return [
    { title: null, pages: [{ icon: 'home', label: t.operator_navigation.overview, link: { to: '/operator' }, exact: true }] },
    {
      title: t.navigation_groups.accounts,
      pages: [
        { icon: 'store', label: t.operator_navigation.stores, link: { to: '/operator/stores' } },
        { icon: 'person', label: t.operator_navigation.creators, link: { to: '/operator/creators' } },
      ],
    },
    {
      title: t.navigation_groups.review,
      pages: [
        { icon: 'check', label: t.operator_navigation.review, link: { to: '/operator/review' } },
        { icon: 'alert', label: t.operator_navigation.disputes, link: { to: '/operator/disputes' } },
        { icon: 'shield', label: t.operator_navigation.risk, link: { to: '/operator/risk' } },
      ],
    },
    {
      title: t.navigation_groups.money,
      pages: [
        { icon: 'invoice', label: t.operator_navigation.billing_runs, link: { to: '/operator/billing-runs' }, opens: ['charges'] },
        { icon: 'coins', label: t.operator_navigation.payouts, link: { to: '/operator/payouts' } },
        { icon: 'book', label: t.operator_navigation.ledger, link: { to: '/operator/ledger' } },
      ],
    },
    {
      title: t.navigation_groups.system,
      pages: [
        { icon: 'pulse', label: t.operator_navigation.tracking, link: { to: '/operator/tracking' } },
        { icon: 'repeat', label: t.operator_navigation.jobs, link: { to: '/operator/jobs' } },
        { icon: 'plug', label: t.operator_navigation.health, link: { to: '/operator/health' } },
        { icon: 'mail', label: t.operator_navigation.emails, link: { to: '/operator/mails' } },
        ...(mode === 'sandbox'
          ? [{ icon: 'clock', label: t.operator_navigation.sandbox_clock, link: { to: '/operator/clock' } } as const]
          : []),
      ],
    },
    {
      title: t.navigation_groups.settings,
      pages: [
        { icon: 'settings', label: t.operator_navigation.settings, link: { to: '/operator/settings' } },
        { icon: 'people', label: t.operator_navigation.operators, link: { to: '/operator/operators' } },
        { icon: 'key', label: t.operator_navigation.api_keys, link: { to: '/operator/api-keys' } },
        { icon: 'log', label: t.operator_navigation.audit_log, link: { to: '/operator/audit-log' } },
      ],
    },
  ];
}
