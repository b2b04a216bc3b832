import { useParams } from '@tanstack/react-router';
import { useHasRows } from '../parts/has-rows.ts';
import { ButtonLink, TextLink } from '../parts/links.tsx';
import { Empty, Page, Section } from '../parts/page.tsx';
import { PagedTable, type Column } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { programList, type Program } from './programs-api.ts';
import { ProgramChip } from './store-chips.tsx';
import { counted } from './terms-words.ts';

export function Programs() {
  const { store } = useParams({ from: '/inside/stores/$store' });
  const hasRows = useHasRows(programList(store));
  return (
    <Page
      title="Programs"
      intro="A program says what partners earn, for which orders, and who takes part."
      actions={
        hasRows && (
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

export function ProgramTable({ store }: { readonly store: string }) {
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
            <ButtonLink to="/stores/$store/new-program" params={{ store }}>
              Create the first program
            </ButtonLink>
          }
        >
          Create one, give it terms, then add creators. Most shops begin with a single program that pays a share of each order.
        </Empty>
      }
    />
  );
}

const approvalWords = ({ approval, auto_approve_days: days }: Program): string =>
  approval === 'auto' ? `after ${counted(days ?? 0, 'day')}` : 'by hand';

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
  { title: 'Click counts', kind: 'number', cell: ({ attribution_days: days }) => counted(days, 'day') },
  { title: 'Hold', kind: 'number', cell: ({ hold_days: days }) => counted(days, 'day') },
  { title: 'Approval', cell: (program) => approvalWords(program) },
  { title: 'Created', cell: ({ created_at: at }) => <Time at={at} dateOnly /> },
];
