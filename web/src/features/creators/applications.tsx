import { useHasRowsOrError } from '../../ui/has-rows.ts';
import { Section } from '../../ui/page.tsx';
import { apiListQuery } from '../../ui/queries.ts';
import { PagedTable, type Column } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { storeCreatorsPath, type StoreCreator } from './creators-api.ts';
import { MemberActions } from './member-actions.tsx';

type ApplicationsProps = { readonly store: string; readonly mayChange: boolean };

/** Open applications; hidden when there are none, which is the usual case. */
export function Applications({ store, mayChange }: ApplicationsProps) {
  const list = apiListQuery<StoreCreator>(storeCreatorsPath(store, { status: 'applied' }, {}));
  if (!useHasRowsOrError(list)) return null;
  return (
    <Section
      title="Applications"
      intro={
        mayChange ? 'They see your answer in their own pages, and make links once you approve.' : 'Owners and marketers decide on these.'
      }
      flush
    >
      <PagedTable caption="Applications" list={list} keyOf={({ id }) => id} columns={applicationColumns(store, mayChange)} empty={null} />
    </Section>
  );
}

const applicationColumns = (store: string, mayChange: boolean): ReadonlyArray<Column<StoreCreator>> => [
  { title: 'Creator', kind: 'name', cell: ({ creator_name: name }) => <strong>{name}</strong> },
  { title: 'Asks to take part in', cell: ({ program_name: name }) => name },
  { title: 'Applied', cell: ({ since }) => <Time at={since} /> },
  ...(mayChange
    ? [
        {
          title: 'Decide',
          kind: 'actions' as const,
          cell: (member: StoreCreator) => <MemberActions store={store} program={member.program_id} member={member} />,
        },
      ]
    : []),
];
