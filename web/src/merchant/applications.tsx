import { useIsWorthAPlace } from '../parts/has-rows.ts';
import { Section } from '../parts/page.tsx';
import { listing } from '../parts/reading.ts';
import { PagedTable, type Column } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { creatorsOfStore, type CreatorOfStore } from './creators-api.ts';
import { MemberChanges } from './member-changes.tsx';

type ApplicationsProps = { readonly store: string; readonly mayChange: boolean };

/** Who asks to take part. Nobody asking is the usual case, and takes no place. */
export function Applications({ store, mayChange }: ApplicationsProps) {
  const list = listing<CreatorOfStore>(creatorsOfStore(store, { status: 'applied' }, {}));
  if (!useIsWorthAPlace(list)) return null;
  return (
    <Section
      title="Applications"
      intro={
        mayChange ? 'They see your answer in their own pages, and make links once you approve.' : 'Owners and marketers decide on these.'
      }
      flush
    >
      <PagedTable caption="Applications" list={list} keyOf={({ id }) => id} columns={columnsOf(store, mayChange)} empty={null} />
    </Section>
  );
}

const columnsOf = (store: string, mayChange: boolean): ReadonlyArray<Column<CreatorOfStore>> => [
  { title: 'Creator', kind: 'name', cell: ({ creator_name: name }) => <strong>{name}</strong> },
  { title: 'Asks to take part in', cell: ({ program_name: name }) => name },
  { title: 'Applied', cell: ({ since }) => <Time at={since} /> },
  ...(mayChange
    ? [
        {
          title: 'Decide',
          kind: 'actions' as const,
          cell: (member: CreatorOfStore) => <MemberChanges store={store} program={member.program_id} member={member} />,
        },
      ]
    : []),
];
