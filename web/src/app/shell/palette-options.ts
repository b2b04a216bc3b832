import { useEffect, useState } from 'react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useParams, useRouteContext, useRouter, type LinkProps } from '@tanstack/react-router';
import { apiPath } from '../../api/operations.ts';
import type { Commission, InstallationSearch, StoreSearch } from '../../../../sdk/src/api-schema.ts';
import { newestStoresQuery } from '../../features/stores/stores-api.ts';
import { formatDollars } from '../../ui/format.ts';
import type { IconName } from '../../ui/icons.tsx';
import { useOfferedActions } from '../../ui/page-actions.ts';
import { apiQuery, noId } from '../../ui/queries.ts';
import { accountPages, creatorPages, storePages, type NavigationGroup } from './navigation-pages.ts';
import { operatorPages } from './operator-pages.ts';
import { t } from '../messages.ts';

export type PaletteOption = {
  readonly key: string;
  readonly icon: IconName;
  readonly label: string;
  readonly detail?: string;
  readonly choose: Choice;
};
/** Either leaves the page, or acts on it. */
export type Choice = { readonly is: 'go'; readonly go: () => unknown } | { readonly is: 'act'; readonly act: () => unknown };
export type PaletteGroup = { readonly title: string; readonly options: readonly PaletteOption[] };

const typingPauseMs = 150;
const searchLengthMin = 2;
const storesShownMax = 8;

/** What the typed text may mean: an action of the opened page, something that the service finds, or a page. */
export function usePaletteGroups(typed: string): { readonly groups: readonly PaletteGroup[]; readonly isSearching: boolean } {
  const text = typed.trim();
  const actions = useActions();
  const pages = usePages();
  const found = useFound(text);
  const matching = (group: PaletteGroup): PaletteGroup => ({ ...group, options: group.options.filter(matches(text)) });
  const groups = [matching(actions), ...found.groups, ...pages.map(matching)];
  return { groups: groups.filter(({ options }) => options.length > 0), isSearching: found.isSearching };
}

/** Each typed word begins a word of the label. */
const matches = (text: string) => {
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  return ({ label }: PaletteOption) => words.every((word) => ` ${label.toLowerCase()}`.includes(` ${word}`));
};

const useActions = (): PaletteGroup => ({
  title: t.palette.on_this_page,
  options: useOfferedActions().map(({ label, icon, run }, place) => ({
    key: `action ${place}`,
    icon,
    label,
    choose: { is: 'act', act: run },
  })),
});

function usePages(): readonly PaletteGroup[] {
  const { store } = useParams({ strict: false });
  const { session } = useRouteContext({ from: '/signed-in' });
  const router = useRouter();
  const stores = useQuery({ ...newestStoresQuery(storesShownMax), enabled: session.viewAs === undefined }).data?.data ?? [];
  const option = (link: LinkProps, icon: IconName, label: string): PaletteOption => ({
    key: `${link.to} ${label}`,
    icon,
    label,
    choose: { is: 'go', go: () => void router.navigate(link) },
  });
  const optionsOf = (groups: readonly NavigationGroup[]) =>
    groups.flatMap(({ pages }) => pages.map((page) => option(page.link, page.icon, page.label)));
  const group = (title: string, groups: readonly NavigationGroup[]): PaletteGroup => ({ title, options: optionsOf(groups) });
  const ofStore = store === undefined ? [] : [group(t.palette.this_store, storePages(store))];
  if (session.viewAs !== undefined) return session.creator_id === null ? ofStore : [group(t.palette.creator_portal, creatorPages())];
  const otherStores = stores.filter(({ id }) => id !== store);
  return [
    ...ofStore,
    {
      title: t.palette.stores,
      options: otherStores.map(({ id, name }) => ({ ...option({ to: '/stores/$store', params: { store: id } }, 'store', name), key: id })),
    },
    ...(session.is_operator ? [group(t.palette.operator_console, operatorPages(session.mode))] : []),
    ...(session.creator_id === null ? [] : [group(t.palette.creator_portal, creatorPages())]),
    {
      title: t.palette.account,
      options: [...optionsOf(accountPages()), option({ to: '/notifications' }, 'bell', t.palette.notifications)],
    },
  ];
}

/** The text after a pause in typing. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), typingPauseMs);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}

type Found = { readonly groups: readonly PaletteGroup[]; readonly isSearching: boolean };

function useFound(text: string): Found {
  const { store } = useParams({ strict: false });
  const { session } = useRouteContext({ from: '/signed-in' });
  const router = useRouter();
  const settled = useSettled(text);
  const isLongEnough = settled.length >= searchLengthMin;
  const inStore = useQuery({
    ...apiQuery(apiPath('/stores/{store}/search', { store: store ?? noId }, { q: settled })),
    enabled: isLongEnough && store !== undefined,
    placeholderData: keepPreviousData,
  });
  const inInstallation = useQuery({
    ...apiQuery(apiPath('/search', {}, { q: settled })),
    enabled: isLongEnough && session.is_operator,
    placeholderData: keepPreviousData,
  });
  if (text.length < searchLengthMin) return { groups: [], isSearching: false };
  const go = (link: LinkProps): Choice => ({ is: 'go', go: () => void router.navigate(link) });
  return {
    groups: [
      ...(inStore.data === undefined || store === undefined ? [] : groupsOfStore(store, inStore.data, go)),
      ...(inInstallation.data === undefined ? [] : groupsOfInstallation(inInstallation.data, go)),
    ],
    isSearching: settled !== text || inStore.isFetching || inInstallation.isFetching,
  };
}

type Go = (link: LinkProps) => Choice;

function groupsOfStore(store: string, found: StoreSearch, go: Go): readonly PaletteGroup[] {
  const params = { store };
  const conversion =
    (kind: string) =>
    (commission: Commission): PaletteOption => ({
      key: `${kind} ${commission.id}`,
      icon: 'coins',
      label: commission.order_name ?? commission.order_id ?? commission.invoice_id ?? commission.bonus?.reason ?? commission.id,
      detail: t.palette.conversion({ creator: commission.creator_name, amount: formatDollars(commission.amount_cents) }),
      choose: go({ to: '/stores/$store/conversions', params, search: { open: commission.id } }),
    });
  return [
    { title: t.palette.conversions, options: found.commissions.map(conversion('commission')) },
    { title: t.palette.orders_of_this_customer, options: found.customer_orders.map(conversion('customer')) },
    {
      title: t.palette.subscriptions,
      options: found.subscriptions.map(({ id, relationship_id: label, creator_name: detail }) => ({
        key: id,
        icon: 'repeat',
        label,
        detail,
        choose: go({ to: '/stores/$store/subscriptions', params, search: { open: id } }),
      })),
    },
    {
      title: t.palette.creators,
      options: found.creators.map(({ id, name }) => ({
        key: id,
        icon: 'person',
        label: name,
        choose: go({ to: '/stores/$store/creators', params, search: { creator_id: id } }),
      })),
    },
    {
      title: t.palette.programs,
      options: found.programs.map(({ id, name }) => ({
        key: id,
        icon: 'program',
        label: name,
        choose: go({ to: '/stores/$store/programs/$program', params: { store, program: id } }),
      })),
    },
    {
      title: t.palette.invoices,
      options: found.invoices.map(({ id, number, total_cents: total }) => ({
        key: id,
        icon: 'invoice',
        label: number,
        detail: t.palette.amount({ amount: formatDollars(total) }),
        choose: go({ to: '/stores/$store/billing', params, search: { open: id } }),
      })),
    },
  ];
}

const groupsOfInstallation = (found: InstallationSearch, go: Go): readonly PaletteGroup[] => [
  {
    title: t.palette.stores,
    options: found.stores.map(({ id, name, site_url: site }) => ({
      key: `found ${id}`,
      icon: 'store',
      label: name,
      detail: new URL(site).host,
      choose: go({ to: '/operator/stores/$storeId', params: { storeId: id } }),
    })),
  },
  {
    title: t.palette.creators,
    options: found.creators.map(({ id, name, email }) => ({
      key: `found ${id}`,
      icon: 'person',
      label: name,
      detail: email,
      choose: go({ to: '/operator/creators/$creatorId', params: { creatorId: id } }),
    })),
  },
];
