import { useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import type { Membership } from '../../../../sdk/src/api-schema.ts';
import { apiPath } from '../../api/operations.ts';
import { ConfirmButton } from '../../ui/dialog.tsx';
import { TextLink } from '../../ui/links.tsx';
import { ShortList } from '../../ui/list.tsx';
import { EmptyState, Page, Section } from '../../ui/page.tsx';
import { refresh } from '../../ui/queries.ts';
import type { Column } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { AnnouncedTermsOfPrograms } from './announced-terms.tsx';
import { membershipsPath, useCreatorId } from './creator-api.ts';
import styles from './creator.module.css';
import { Leaderboards } from './leaderboards.tsx';
import { MembershipStatusChip, ProgramStatusFlag } from './membership-status-chips.tsx';
import { OwnRatesButton } from './own-rates.tsx';
import { ProgramInvitations } from './program-invitations.tsx';
import { t } from './messages.ts';
import { rich } from '../../messages/rich-text.tsx';

/** The creator's memberships and applications. */
export function CreatorPrograms() {
  const creator = useCreatorId();
  return (
    <Page title={t.creator_programs.programs} intro={t.creator_programs.programs_youve_joined_or_applied}>
      <ProgramInvitations />
      <AnnouncedTermsOfPrograms />
      <Section title={t.creator_programs.programs} bare flush>
        <ShortList
          caption={t.creator_programs.your_programs}
          path={membershipsPath(creator)}
          keyOf={({ id }) => id}
          columns={columns}
          empty={
            <EmptyState title={t.creator_programs.you_havent_joined_a_program}>
              {rich(t.creator_programs.open_the_program_page_that, { link: <TextLink to="/creator" /> })}
            </EmptyState>
          }
        />
      </Section>
      <Leaderboards />
    </Page>
  );
}

const columns: ReadonlyArray<Column<Membership>> = [
  {
    title: t.creator_programs.program,
    // A program that was never published has no public page.
    cell: ({ program_id: program, program_name: name, program_status: state }) =>
      state === 'draft' ? (
        <strong>{name}</strong>
      ) : (
        <TextLink to="/programs/$program" params={{ program }} className="strong">
          {name}
        </TextLink>
      ),
  },
  { title: t.creator_programs.store, cell: ({ store_name: name }) => name },
  {
    title: t.creator_programs.membership,
    cell: (membership) => (
      <span className={styles.chips}>
        <MembershipStatusChip status={membership.status} hasLeft={membership.left_at !== null} />
        <ProgramStatusFlag membership={membership} />
      </span>
    ),
  },
  { title: t.creator_programs.since, cell: ({ since }) => <Time at={since} dateOnly /> },
  {
    title: t.own_rates.your_rates,
    cell: (membership) =>
      (membership.status === 'approved' || membership.status === 'paused') && <OwnRatesButton membership={membership} />,
  },
  {
    title: t.creator_programs.links,
    cell: ({ status, program_id: program }) =>
      status === 'approved' ? (
        <TextLink to="/creator/links" search={{ program_id: program }}>
          {t.creator_programs.view_links}
        </TextLink>
      ) : null,
  },
  {
    title: t.creator_programs.actions,
    kind: 'actions',
    cell: (membership) => membership.status !== 'removed' && <LeaveButton membership={membership} />,
  },
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
        label={t.creator_programs.withdraw}
        subject={t.creator_programs.the_application_to({ program })}
        variant="subtle"
        title={t.creator_programs.withdraw_your_application_to({ program })}
        confirm={t.creator_programs.withdraw_application}
        run={run}
      >
        <p>{t.creator_programs.the_merchant_will_no_longer}</p>
      </ConfirmButton>
    );
  return (
    <ConfirmButton
      label={t.creator_programs.leave}
      subject={program}
      variant="subtle"
      danger
      title={t.creator_programs.leave_2({ program })}
      confirm={t.creator_programs.leave_program}
      run={run}
    >
      <p>{t.creator_programs.your_links_still_open_the}</p>
      <p>{t.creator_programs.the_merchant_still_reviews_your}</p>
    </ConfirmButton>
  );
}
