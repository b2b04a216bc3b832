import { useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import type { Membership } from '../../api/api-schema.ts';
import { apiPath } from '../../api/operations.ts';
import { ConfirmButton } from '../../ui/dialog.tsx';
import { TextLink } from '../../ui/links.tsx';
import { ShortList } from '../../ui/list.tsx';
import { EmptyState, Page, Section } from '../../ui/page.tsx';
import { refresh } from '../../ui/queries.ts';
import type { Column } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { membershipsPath, useCreatorId } from './creator-api.ts';
import styles from './creator.module.css';
import { MembershipStatusChip, ProgramStatusFlag } from './membership-status-chips.tsx';

/** The creator's memberships and applications. */
export function CreatorPrograms() {
  const creator = useCreatorId();
  return (
    <Page title="Programs" intro="A program says what a shop pays for sales through your links.">
      <Section title="Programs" bare flush>
        <ShortList
          caption="My programs"
          path={membershipsPath(creator)}
          keyOf={({ id }) => id}
          columns={columns}
          empty={
            <EmptyState title="You are in no program yet">
              A merchant gives you the address of their program’s page: open it and apply. Or give them your creator ID, which stands on
              your <TextLink to="/creator">first page</TextLink>, and they add you.
            </EmptyState>
          }
        />
      </Section>
    </Page>
  );
}

const columns: ReadonlyArray<Column<Membership>> = [
  {
    title: 'Program',
    // A program that was never published has no public page.
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
        <MembershipStatusChip status={membership.status} hasLeft={membership.left_at !== null} />
        <ProgramStatusFlag membership={membership} />
      </span>
    ),
  },
  { title: 'Since', cell: ({ since }) => <Time at={since} dateOnly /> },
  {
    title: 'Links',
    cell: ({ status, program_id: program }) =>
      status === 'approved' ? (
        <TextLink to="/creator/links" search={{ program_id: program }}>
          Your links
        </TextLink>
      ) : null,
  },
  { title: 'Change', kind: 'actions', cell: (membership) => membership.status !== 'removed' && <LeaveButton membership={membership} /> },
];

/** Ends the membership or withdraws the application; the dialog explains the effect on earnings. */
function LeaveButton({ membership }: { readonly membership: Membership }) {
  const creator = useCreatorId();
  const client = useQueryClient();
  const { id, program_name: program, status } = membership;
  const run = async () => {
    await api.post(apiPath('/creators/{creator}/memberships/{member}/leave', { creator, member: id }));
    await refresh(client, apiPath('/creators/{creator}', { creator }), '/programs');
  };
  if (status === 'applied')
    return (
      <ConfirmButton
        label="Withdraw"
        subject={`the application to ${program}`}
        variant="subtle"
        title={`Withdraw the application to ${program}?`}
        confirm="Withdraw it"
        run={run}
      >
        <p>The merchant no longer decides on it. You can apply again after 24 hours.</p>
      </ConfirmButton>
    );
  return (
    <ConfirmButton
      label="Leave"
      subject={program}
      variant="subtle"
      danger
      title={`Leave ${program}?`}
      confirm="Leave the program"
      run={run}
    >
      <p>Your links still lead to the shop, but new visits do not count. Orders that come from earlier clicks still earn.</p>
      <p>
        Pending commissions are not lost: the merchant reviews them as usual, and you are paid for what they approve. The merchant gets an
        email. To come back, apply again after 24 hours; the merchant decides.
      </p>
    </ConfirmButton>
  );
}
