import type { LinkProps } from '@tanstack/react-router';
import type { IconName } from '../../ui/icons.tsx';
import type { PendingWork } from '../../../../sdk/src/api-schema.ts';
import { t } from '../messages.ts';

export type NavigationPage = {
  readonly icon: IconName;
  readonly label: string;
  readonly link: LinkProps;
  /** Only the page itself is current, and not the pages below it. */
  readonly exact?: boolean;
  /** Pages that are opened from this one, but are not below its address: a part of their path. */
  readonly opens?: readonly string[];
  /** What is counted beside the label. */
  readonly counts?: keyof PendingWork;
};

/** Pages of one topic. The first group of an area has no heading. */
export type NavigationGroup = { readonly title: string | null; readonly pages: readonly NavigationPage[] };

/** The pages of a store, for the menu and the command palette. A new page gets its line here. */
export function storePages(store: string): readonly NavigationGroup[] {
  const params = { store };
  return [
    { title: null, pages: [{ icon: 'home', label: t.navigation.home, link: { to: '/stores/$store', params }, exact: true }] },
    {
      title: t.navigation_groups.sales,
      pages: [
        { icon: 'coins', label: t.navigation.conversions, link: { to: '/stores/$store/conversions', params }, counts: 'to_review' },
        { icon: 'alert', label: t.navigation.disputes, link: { to: '/stores/$store/disputes', params }, counts: 'open_disputes' },
        { icon: 'repeat', label: t.navigation.subscriptions, link: { to: '/stores/$store/subscriptions', params } },
      ],
    },
    {
      title: t.navigation_groups.partners,
      pages: [
        {
          icon: 'person',
          label: t.navigation.creators,
          link: { to: '/stores/$store/creators', params },
          counts: 'applications',
          opens: ['creator-invitations', 'creator-imports', 'creator-messages'],
        },
        { icon: 'program', label: t.navigation.programs, link: { to: '/stores/$store/programs', params }, opens: ['new-program'] },
        { icon: 'coupon', label: t.navigation.discount_codes, link: { to: '/stores/$store/codes', params }, opens: ['attribution'] },
      ],
    },
    {
      title: t.navigation_groups.money,
      pages: [
        { icon: 'invoice', label: t.navigation.billing, link: { to: '/stores/$store/billing', params }, counts: 'unpaid_invoices' },
        { icon: 'book', label: t.navigation.statement, link: { to: '/stores/$store/statement', params } },
      ],
    },
    {
      title: t.navigation_groups.developers,
      pages: [
        { icon: 'plug', label: t.navigation.integration, link: { to: '/stores/$store/integration', params } },
        { icon: 'pulse', label: t.navigation.tracking_log, link: { to: '/stores/$store/tracking-log', params } },
        { icon: 'send', label: t.navigation.webhooks, link: { to: '/stores/$store/webhooks', params } },
        { icon: 'key', label: t.navigation.api_keys, link: { to: '/stores/$store/api-keys', params } },
      ],
    },
    {
      title: t.navigation_groups.settings,
      pages: [
        { icon: 'settings', label: t.navigation.settings, link: { to: '/stores/$store/settings', params } },
        { icon: 'people', label: t.navigation.team, link: { to: '/stores/$store/team', params } },
        { icon: 'shield', label: t.navigation.customer_data, link: { to: '/stores/$store/customer-data', params }, opens: ['customers'] },
        { icon: 'mail', label: t.navigation.emails, link: { to: '/stores/$store/mails', params } },
        { icon: 'log', label: t.navigation.audit_log, link: { to: '/stores/$store/audit-log', params } },
      ],
    },
  ];
}

export function creatorPages(): readonly NavigationGroup[] {
  return [
    { title: null, pages: [{ icon: 'home', label: t.navigation.home, link: { to: '/creator' }, exact: true }] },
    {
      title: t.navigation_groups.promote,
      pages: [
        { icon: 'program', label: t.navigation.programs, link: { to: '/creator/programs' } },
        { icon: 'link', label: t.navigation.links, link: { to: '/creator/links' } },
        { icon: 'coupon', label: t.navigation.discount_codes, link: { to: '/creator/codes' } },
        { icon: 'download', label: t.navigation.assets, link: { to: '/creator/assets' } },
        { icon: 'mail', label: t.navigation.messages, link: { to: '/creator/messages' } },
      ],
    },
    {
      title: t.navigation_groups.sales,
      pages: [
        { icon: 'coins', label: t.navigation.sales, link: { to: '/creator/sales' } },
        { icon: 'repeat', label: t.navigation.subscriptions, link: { to: '/creator/subscriptions' } },
        { icon: 'alert', label: t.navigation.ineligible_orders, link: { to: '/creator/refused-orders' } },
      ],
    },
    {
      title: t.navigation_groups.money,
      pages: [
        { icon: 'invoice', label: t.navigation.payouts, link: { to: '/creator/payouts' } },
        { icon: 'book', label: t.navigation.statement, link: { to: '/creator/statement' } },
      ],
    },
    {
      title: t.navigation_groups.settings,
      pages: [
        { icon: 'settings', label: t.navigation.settings, link: { to: '/creator/settings' } },
        { icon: 'key', label: t.navigation.api_keys, link: { to: '/creator/api-keys' } },
      ],
    },
  ];
}

export function accountPages(): readonly NavigationGroup[] {
  return [
    {
      title: null,
      pages: [
        { icon: 'store', label: t.navigation.my_stores, link: { to: '/stores' }, exact: true },
        { icon: 'person', label: t.navigation.my_account, link: { to: '/account' } },
      ],
    },
  ];
}
