import { useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import type { Member } from '../../../../sdk/src/api-schema.ts';
import { apiPath } from '../../api/operations.ts';
import { Chip, StatusChip, type StatusTexts } from '../../ui/chip.tsx';
import { ConfirmButton } from '../../ui/dialog.tsx';
import { refresh } from '../../ui/queries.ts';
import { storePath } from '../stores/stores-api.ts';
import { t } from './messages.ts';

type MemberActionsProps = { readonly store: string; readonly program: string; readonly member: Member };

/** The status changes of a member or applicant. Each asks for confirmation and explains the effect on the member's links. */
export function MemberActions({ store, program, member }: MemberActionsProps) {
  const client = useQueryClient();
  const change = (status: Exclude<Member['status'], 'applied'>) => async () => {
    await api.patch(apiPath('/stores/{store}/programs/{program}/members/{member}', { store, program, member: member.id }), { status });
    // Members are counted and listed on several pages: the overview, the program, the list of creators.
    await refresh(client, storePath(store));
  };
  const name = member.creator_name;
  const common = { variant: 'subtle', subject: name } as const;
  return (
    <>
      {member.status !== 'approved' && member.left_at === null && (
        <ConfirmButton
          {...common}
          label={t.member_status.approve}
          title={t.member_status.approve_2({ name })}
          confirm={t.member_status.approve}
          run={change('approved')}
        >
          <p>{t.member_status.new_clicks_on_their_links}</p>
        </ConfirmButton>
      )}
      {member.status === 'approved' && (
        <ConfirmButton
          {...common}
          label={t.member_status.pause}
          title={t.member_status.pause_2({ name })}
          confirm={t.member_status.pause}
          run={change('paused')}
        >
          <p>{t.member_status.new_clicks_on_their_links_2}</p>
        </ConfirmButton>
      )}
      {member.status === 'applied' && (
        <ConfirmButton
          {...common}
          label={t.member_status.decline}
          danger
          title={t.member_status.decline_2({ name })}
          confirm={t.member_status.decline}
          run={change('removed')}
        >
          <p>{t.member_status.they_do_not_become}</p>
        </ConfirmButton>
      )}
      {(member.status === 'approved' || member.status === 'paused') && (
        <ConfirmButton
          {...common}
          label={t.member_status.remove}
          danger
          title={t.member_status.remove_2({ name })}
          confirm={t.member_status.remove}
          run={change('removed')}
        >
          <p>{t.member_status.their_links_stop_earning_they}</p>
        </ConfirmButton>
      )}
    </>
  );
}

const memberTexts: StatusTexts<Member['status']> = {
  applied: [t.member_status.applied, 'wait', t.member_status.applied_to_join_approve_or],
  approved: [t.member_status.approved, 'good', t.member_status.member_clicks_on_their_links],
  paused: [t.member_status.paused, 'wait', t.member_status.new_clicks_earn_nothing_earlier],
  removed: [t.member_status.removed, 'neutral', t.member_status.no_longer_a_member_earlier],
};

export function MemberStatusChip({ status, left_at: leftAt }: Pick<Member, 'status' | 'left_at'>) {
  if (leftAt !== null)
    return <Chip label={t.member_status.left} tone="neutral" meaning={t.member_status.the_creator_left_earlier_clicks} />;
  return <StatusChip texts={memberTexts} state={status} />;
}
