import { TextLink } from '../parts/links.tsx';
import { Empty, Page, Section } from '../parts/page.tsx';
import { PagedTable, type Column } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { membershipList, useCreatorId, type Membership } from './creator-api.ts';
import styles from './creator.module.css';
import { MemberChip, ProgramFlag } from './member-chip.tsx';

/** The programs that a creator is in, or has applied to. */
export function MyPrograms() {
  const creator = useCreatorId();
  return (
    <Page title="Programs" intro="A program says what a shop pays for sales through your links.">
      <Section title="Programs" bare flush>
        <PagedTable
          caption="My programs"
          list={membershipList(creator)}
          keyOf={({ id }) => id}
          columns={columns}
          empty={
            <Empty title="You are in no program yet">
              A merchant gives you the address of their program’s page: open it and apply. Or give them your creator ID, which stands on
              your <TextLink to="/creator">first page</TextLink>, and they add you.
            </Empty>
          }
        />
      </Section>
    </Page>
  );
}

const columns: ReadonlyArray<Column<Membership>> = [
  {
    title: 'Program',
    // What was never published has no page that a link could lead to.
    cell: ({ program_id: program, program_name: name, program_status: state }) =>
      state === 'draft' ? (
        <strong>{name}</strong>
      ) : (
        <TextLink to="/programs/$program" params={{ program }} fw={600}>
          {name}
        </TextLink>
      ),
  },
  { title: 'Shop', cell: ({ store_name: name }) => name },
  {
    title: 'You are',
    cell: (membership) => (
      <span className={styles.chips}>
        <MemberChip status={membership.status} />
        <ProgramFlag membership={membership} />
      </span>
    ),
  },
  { title: 'Since', cell: ({ since }) => <Time at={since} dateOnly /> },
  {
    title: 'Links',
    cell: ({ status, program_id: program }) =>
      status === 'approved' ? (
        <TextLink to="/creator/links" search={{ program }}>
          Your links
        </TextLink>
      ) : null,
  },
];
