import type { Terms } from '../../api/api-schema.ts';
import { Chip } from '../../ui/chip.tsx';
import { ButtonLink } from '../../ui/links.tsx';
import { ListView, useShortList } from '../../ui/list.tsx';
import { EmptyState } from '../../ui/page.tsx';
import type { Column } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { useNow } from '../../session/use-now.ts';
import { termsPath } from './programs-api.ts';
import { orderRuleText, nowOrLastCreation, settingsTexts, subscriptionRuleText, versionInForce } from './terms-text.ts';
import styles from './terms.module.css';

/** All versions: the current one, scheduled ones, and past ones. */
export function TermsVersions({ store, program }: { readonly store: string; readonly program: string }) {
  const list = useShortList(termsPath(store, program));
  const versions = list.rows;
  const now = nowOrLastCreation(useNow(), versions);
  const inForce = versionInForce(versions, now);
  return (
    <ListView
      caption="Versions of the terms"
      list={list}
      keyOf={({ version }) => String(version)}
      columns={columnsOf({ inForce, now })}
      empty={
        <EmptyState
          title="No terms yet"
          action={
            <ButtonLink to="/stores/$store/programs/$program/new-terms" params={{ store, program }}>
              Write the first terms
            </ButtonLink>
          }
        >
          Say what is paid, for example 10 % of each order. Without terms nothing can be earned, and the program cannot be published.
        </EmptyState>
      }
    />
  );
}

const columnsOf = (of: { readonly inForce: Terms | null; readonly now: Date }): ReadonlyArray<Column<Terms>> => [
  { title: 'Version', cell: (terms) => <strong className="number">{terms.version}</strong> },
  { title: 'State', cell: (terms) => <TermsStatusChip terms={terms} {...of} /> },
  { title: 'Holds from', cell: ({ effective_from: from }) => <Time at={from} /> },
  { title: 'What it pays', cell: (terms) => <RuleList terms={terms} /> },
  {
    title: 'Conditions',
    cell: (terms) => (
      <ul className={styles.lines} data-short>
        {settingsTexts(terms).map((ruleTexts) => (
          <li key={ruleTexts}>{ruleTexts}</li>
        ))}
      </ul>
    ),
  },
];

function TermsStatusChip({ terms, inForce, now }: { readonly terms: Terms; readonly inForce: Terms | null; readonly now: Date }) {
  if (terms.version === inForce?.version) return <Chip label="In force" tone="good" meaning="Orders of today are paid by this version." />;
  if (new Date(terms.effective_from) > now) return <Chip label="Waits" tone="wait" meaning="It begins on its day by itself." />;
  return <Chip label="Past" tone="neutral" meaning="A later version took its place. Orders of its time keep it." />;
}

const rulesShownMax = 8;

function RuleList({ terms }: { readonly terms: Terms }) {
  const words = [...terms.order_rules.map((rule) => orderRuleText(rule, terms)), ...terms.subscription_rules.map(subscriptionRuleText)];
  if (words.length === 0) return <span>Nothing is earned</span>;
  return (
    <ul className={styles.lines}>
      {words.slice(0, rulesShownMax).map((text) => (
        <li key={text}>{text}</li>
      ))}
      {words.length > rulesShownMax && <li>and {words.length - rulesShownMax} more rules</li>}
    </ul>
  );
}
