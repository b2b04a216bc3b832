import { useParams } from '@tanstack/react-router';
import { countOf } from '../parts/count-of.ts';
import { useHasRows } from '../parts/has-rows.ts';
import { ButtonLink, TextLink } from '../parts/links.tsx';
import { Empty, Page, Section } from '../parts/page.tsx';
import { PagedTable, type Column } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { useMay } from '../people/may.ts';
import { programList, type Program } from './programs-api.ts';
import { ProgramChip } from './store-chips.tsx';

export function Programs() {
  const { store } = useParams({ from: '/inside/stores/$store' });
  const hasRows = useHasRows(programList(store));
  const mayCreate = useMay(store)('programs:write');
  return (
    <Page
      title="Programs"
      intro="A program says what partners earn, for which orders, and who takes part."
      actions={
        hasRows &&
        mayCreate && (
          <ButtonLink to="/stores/$store/new-program" params={{ store }}>
            Create a program
          </ButtonLink>
        )
      }
    >
      <Section title="All programs" bare flush>
        <ProgramTable store={store} />
      </Section>
    </Page>
  );
}

function ProgramTable({ store }: { readonly store: string }) {
  const mayCreate = useMay(store)('programs:write');
  return (
    <PagedTable
      caption="Programs"
      list={programList(store)}
      columns={columnsOf(store)}
      keyOf={({ id }) => id}
      empty={
        <Empty
          title="No program yet"
          action={
            mayCreate && (
              <ButtonLink to="/stores/$store/new-program" params={{ store }}>
                Create the first program
              </ButtonLink>
            )
          }
        >
          {mayCreate
            ? 'Create one, give it terms, then add creators. Most shops begin with a single program that pays a share of each order.'
            : 'Nothing is earned until somebody whose role allows it creates one: an owner or a marketer of the store.'}
        </Empty>
      }
    />
  );
}

const approvalWords = ({ approval, auto_approve_days: days }: Program): string =>
  approval === 'auto' ? `after ${countOf(days ?? 0, 'day')}` : 'by hand';

const columnsOf = (store: string): ReadonlyArray<Column<Program>> => [
  {
    title: 'Name',
    cell: ({ id, name }) => (
      <TextLink to="/stores/$store/programs/$program" params={{ store, program: id }} fw={600}>
        {name}
      </TextLink>
    ),
  },
  { title: 'State', cell: ({ status }) => <ProgramChip status={status} /> },
  { title: 'Click counts', kind: 'number', cell: ({ attribution_days: days }) => countOf(days, 'day') },
  { title: 'Hold', kind: 'number', cell: ({ hold_days: days }) => countOf(days, 'day') },
  { title: 'Approval', cell: (program) => approvalWords(program) },
  { title: 'Created', cell: ({ created_at: at }) => <Time at={at} dateOnly /> },
];
