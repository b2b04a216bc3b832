import { useQueryClient } from '@tanstack/react-query';
import { api } from '../api.ts';
import { ConfirmButton } from '../parts/dialog.tsx';
import { TextLink } from '../parts/links.tsx';
import { Empty, Page, Section } from '../parts/page.tsx';
import { refresh } from '../parts/reading.ts';
import { PagedTable, type Column } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { membershipList, membershipsPath, useCreatorId, type Membership } from './creator-api.ts';
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
        <MemberChip status={membership.status} hasLeft={membership.left_at !== null} />
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
  { title: 'Change', kind: 'actions', cell: (membership) => membership.status !== 'removed' && <Leave membership={membership} /> },
];

/** Ends the membership, or withdraws the application. What it means for money is said before. */
function Leave({ membership }: { readonly membership: Membership }) {
  const creator = useCreatorId();
  const client = useQueryClient();
  const { id, program_name: program, status } = membership;
  const run = async () => {
    await api.post(`${membershipsPath(creator)}/${id}/leave`);
    await refresh(client, `/creators/${creator}`, '/programs');
  };
  if (status === 'applied')
    return (
      <ConfirmButton
        label="Withdraw"
        of={`the application to ${program}`}
        look="subtle"
        title={`Withdraw the application to ${program}?`}
        confirm="Withdraw it"
        run={run}
      >
        <p>The merchant no longer decides on it. You can apply again after 24 hours.</p>
      </ConfirmButton>
    );
  return (
    <ConfirmButton label="Leave" of={program} look="subtle" danger title={`Leave ${program}?`} confirm="Leave the program" run={run}>
      <p>Your links still lead to the shop, but new visits do not count. Orders that come from earlier clicks still earn.</p>
      <p>
        Pending commissions are not lost: the merchant reviews them as usual, and you are paid for what they approve. The merchant gets an
        email. To come back, apply again after 24 hours; the merchant decides.
      </p>
    </ConfirmButton>
  );
}
