import type { Terms } from '../../../../sdk/src/api-schema.ts';
import { Chip } from '../../ui/chip.tsx';
import { ButtonLink } from '../../ui/links.tsx';
import { ListView, useShortList } from '../../ui/list.tsx';
import { EmptyState } from '../../ui/page.tsx';
import type { Column } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { useNow } from '../../session/use-now.ts';
import { termsPath } from './programs-api.ts';
import { VersionChanges } from './version-changes.tsx';
import {
  attributionTexts,
  leadRuleText,
  noticeTexts,
  orderRuleTexts,
  settingsTexts,
  subscriptionRuleText,
  tierTexts,
} from '../../ui/program-terms.ts';
import { nowOrLastCreation, versionInForce } from './terms-in-force.ts';
import { budgetTexts } from './terms-budget.tsx';
import { Acceptances, CancelVersion, protectionTexts } from './terms-notice.tsx';
import { goalTexts } from './terms-goals.tsx';
import styles from './terms.module.css';
import { t } from './messages.ts';

/** All versions: the current one, scheduled ones, and past ones. */
export function TermsVersions({ store, program }: { readonly store: string; readonly program: string }) {
  const list = useShortList(termsPath(store, program));
  const versions = list.rows;
  const now = nowOrLastCreation(useNow(), versions);
  const inForce = versionInForce(versions, now);
  return (
    <ListView
      caption={t.terms_versions.terms_versions}
      list={list}
      keyOf={({ version }) => String(version)}
      columns={columnsOf({ store, program, inForce, now })}
      empty={
        <EmptyState
          title={t.terms_versions.no_terms_yet}
          action={
            <ButtonLink to="/stores/$store/programs/$program/new-terms" params={{ store, program }}>
              {t.terms_versions.set_terms}
            </ButtonLink>
          }
        >
          {t.terms_versions.set_what_creators_earn_for}
        </EmptyState>
      }
    />
  );
}

const textsOf = (terms: Terms): readonly string[] => [
  ...settingsTexts(terms),
  ...attributionTexts(terms),
  ...budgetTexts(terms.budget),
  ...goalTexts(terms.goals),
  ...noticeTexts(terms),
  ...protectionTexts(terms),
];

type TableProps = { readonly store: string; readonly program: string; readonly inForce: Terms | null; readonly now: Date };

const columnsOf = ({ store, program, ...of }: TableProps): ReadonlyArray<Column<Terms>> => [
  { title: t.terms_versions.version, cell: (terms) => <strong className="number">{terms.version}</strong> },
  { title: t.terms_versions.state, cell: (terms) => <TermsState store={store} program={program} terms={terms} {...of} /> },
  { title: t.terms_versions.effective_from, cell: ({ effective_from: from }) => <Time at={from} /> },
  { title: t.terms_versions.commission, cell: (terms) => <RuleList terms={terms} /> },
  {
    title: t.terms_versions.conditions,
    cell: (terms) => (
      <ul className={styles.lines}>
        {textsOf(terms).map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    ),
  },
  {
    title: t.terms_versions.changes,
    kind: 'actions',
    cell: (terms) => (
      <>
        {isScheduled(terms, of.now) && <CancelVersion store={store} program={program} version={terms.version} />}
        <VersionChanges store={store} program={program} terms={terms} />
      </>
    ),
  },
];

const isScheduled = ({ effective_from: from, canceled_at: canceled }: Terms, now: Date): boolean =>
  canceled === undefined && new Date(from) > now;

function TermsState({ store, program, terms, ...of }: TableProps & { readonly terms: Terms }) {
  return (
    <>
      <TermsStatusChip terms={terms} {...of} />
      {terms.announced && <Acceptances store={store} program={program} version={terms.version} />}
    </>
  );
}

function TermsStatusChip({ terms, inForce, now }: Pick<TableProps, 'inForce' | 'now'> & { readonly terms: Terms }) {
  if (terms.canceled_at !== undefined)
    return <Chip label={t.terms_notice.canceled} tone="neutral" meaning={t.terms_notice.canceled_meaning} />;
  if (terms.announced && isScheduled(terms, now))
    return <Chip label={t.terms_notice.announced} tone="wait" meaning={t.terms_notice.announced_meaning} />;
  if (terms.version === inForce?.version)
    return <Chip label={t.terms_versions.active} tone="good" meaning={t.terms_versions.orders_placed_today_earn_by} />;
  if (new Date(terms.effective_from) > now)
    return <Chip label={t.terms_versions.scheduled} tone="wait" meaning={t.terms_versions.it_becomes_active_on_its} />;
  return <Chip label={t.terms_versions.past} tone="neutral" meaning={t.terms_versions.a_later_version_replaced_it} />;
}

const rulesShownMax = 8;

function RuleList({ terms }: { readonly terms: Terms }) {
  const words = [
    ...orderRuleTexts(terms.order_rules, terms),
    ...terms.subscription_rules.map(subscriptionRuleText),
    ...terms.leads.map(leadRuleText),
    ...(terms.tiers ? tierTexts(terms.tiers, terms) : []),
  ];
  const own = terms.own_rates?.length ?? 0;
  if (words.length + own === 0) return <span>{t.terms_versions.no_commission}</span>;
  return (
    <ul className={styles.lines}>
      {words.slice(0, rulesShownMax).map((text) => (
        <li key={text}>{text}</li>
      ))}
      {words.length > rulesShownMax && <li>{t.terms_versions.and_more_rules({ value: words.length - rulesShownMax })}</li>}
      {own > 0 && <li>{t.own_rates.count({ count: own })}</li>}
    </ul>
  );
}
