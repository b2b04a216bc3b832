import { useInfiniteQuery } from '@tanstack/react-query';
import { Chip } from '../parts/chip.tsx';
import { ButtonLink } from '../parts/links.tsx';
import { Empty } from '../parts/page.tsx';
import { PagedTable, type Column } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { useNow } from '../shell/now.ts';
import { termsList, type Terms } from './programs-api.ts';
import { orderRuleWords, notBefore, settingsWords, subscriptionRuleWords, versionInForce } from './terms-words.ts';
import styles from './terms.module.css';

/** Every version with its day: the one in force, those that wait, those that were. */
export function TermsVersions({ store, program }: { readonly store: string; readonly program: string }) {
  const list = termsList(store, program);
  const pages = useInfiniteQuery(list);
  const versions = pages.data?.pages.flatMap(({ data }) => data) ?? [];
  const now = notBefore(useNow(), versions);
  const inForce = versionInForce(versions, now);
  return (
    <PagedTable
      caption="Versions of the terms"
      list={list}
      keyOf={({ version }) => String(version)}
      columns={columnsOf({ inForce, now })}
      empty={
        <Empty
          title="No terms yet"
          action={
            <ButtonLink to="/stores/$store/programs/$program/new-terms" params={{ store, program }}>
              Write the first terms
            </ButtonLink>
          }
        >
          Say what is paid, for example 10 % of each order. Without terms nothing can be earned, and the program cannot be published.
        </Empty>
      }
    />
  );
}

const columnsOf = (of: { readonly inForce: Terms | null; readonly now: Date }): ReadonlyArray<Column<Terms>> => [
  { title: 'Version', cell: (terms) => <strong className="number">{terms.version}</strong> },
  { title: 'State', cell: (terms) => <VersionChip terms={terms} {...of} /> },
  { title: 'Holds from', cell: ({ effective_from: from }) => <Time at={from} /> },
  { title: 'What it pays', cell: (terms) => <Rules terms={terms} /> },
  {
    title: 'Conditions',
    cell: (terms) => (
      <ul className={styles.lines} data-short>
        {settingsWords(terms).map((words) => (
          <li key={words}>{words}</li>
        ))}
      </ul>
    ),
  },
];

function VersionChip({ terms, inForce, now }: { readonly terms: Terms; readonly inForce: Terms | null; readonly now: Date }) {
  if (terms.version === inForce?.version) return <Chip word="In force" tone="good" meaning="Orders of today are paid by this version." />;
  if (new Date(terms.effective_from) > now) return <Chip word="Waits" tone="wait" meaning="It begins on its day by itself." />;
  return <Chip word="Past" tone="calm" meaning="A later version took its place. Orders of its time keep it." />;
}

const rulesShownMax = 8;

function Rules({ terms }: { readonly terms: Terms }) {
  const words = [...terms.order_rules.map((rule) => orderRuleWords(rule, terms)), ...terms.subscription_rules.map(subscriptionRuleWords)];
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
