import { useParams } from '@tanstack/react-router';
import type { Program } from '../../api/api-schema.ts';
import { formatCount } from '../../ui/format.ts';
import { ButtonLink, TextLink } from '../../ui/links.tsx';
import { ListView, useShortList } from '../../ui/list.tsx';
import { EmptyState, Page, Section } from '../../ui/page.tsx';
import type { Column } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { usePermission } from '../access/permissions.tsx';
import { programsPath } from './programs-api.ts';
import { ProgramStatusChip } from './program-status-chip.tsx';

export function Programs() {
  const { store } = useParams({ from: '/signed-in/stores/$store' });
  const list = useShortList(programsPath(store));
  const mayCreate = usePermission(store)('programs:write');
  return (
    <Page
      title="Programs"
      intro="A program says what partners earn, for which orders, and who takes part."
      actions={
        list.rows.length > 0 &&
        mayCreate && (
          <ButtonLink to="/stores/$store/new-program" params={{ store }}>
            Create a program
          </ButtonLink>
        )
      }
    >
      <Section title="All programs" bare flush>
        <ProgramTable store={store} list={list} />
      </Section>
    </Page>
  );
}

type ProgramList = ReturnType<typeof useShortList<'/stores/{store}/programs'>>;

function ProgramTable({ store, list }: { readonly store: string; readonly list: ProgramList }) {
  const mayCreate = usePermission(store)('programs:write');
  return (
    <ListView
      caption="Programs"
      list={list}
      columns={columnsOf(store)}
      keyOf={({ id }) => id}
      empty={
        <EmptyState
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
        </EmptyState>
      }
    />
  );
}

const approvalText = ({ approval, auto_approve_days: days }: Program): string =>
  approval === 'auto' ? `after ${formatCount(days ?? 0, 'day')}` : 'by hand';

const columnsOf = (store: string): ReadonlyArray<Column<Program>> => [
  {
    title: 'Name',
    cell: ({ id, name }) => (
      <TextLink to="/stores/$store/programs/$program" params={{ store, program: id }} fw={600}>
        {name}
      </TextLink>
    ),
  },
  { title: 'State', cell: ({ status }) => <ProgramStatusChip status={status} /> },
  { title: 'Click counts', kind: 'number', cell: ({ attribution_days: days }) => formatCount(days, 'day') },
  { title: 'Hold', kind: 'number', cell: ({ hold_days: days }) => formatCount(days, 'day') },
  { title: 'Approval', cell: (program) => approvalText(program) },
  { title: 'Created', cell: ({ created_at: at }) => <Time at={at} dateOnly /> },
];
