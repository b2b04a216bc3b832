import { useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import type { Member } from '../../api/api-schema.ts';
import { apiPath } from '../../api/operations.ts';
import { Chip, StatusChip, type StatusTexts } from '../../ui/chip.tsx';
import { ConfirmButton } from '../../ui/dialog.tsx';
import { refresh } from '../../ui/queries.ts';
import { storePath } from '../stores/stores-api.ts';

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
        <ConfirmButton {...common} label="Approve" title={`Approve ${name}?`} confirm="Approve" run={change('approved')}>
          <p>New visits through their links earn from now on.</p>
        </ConfirmButton>
      )}
      {member.status === 'approved' && (
        <ConfirmButton {...common} label="Pause" title={`Pause ${name}?`} confirm="Pause" run={change('paused')}>
          <p>New visits through their links earn nothing. Clicks made before still count.</p>
        </ConfirmButton>
      )}
      {member.status === 'applied' && (
        <ConfirmButton {...common} label="Refuse" danger title={`Refuse ${name}?`} confirm="Refuse" run={change('removed')}>
          <p>They cannot take part. You can still approve them later.</p>
        </ConfirmButton>
      )}
      {(member.status === 'approved' || member.status === 'paused') && (
        <ConfirmButton {...common} label="Remove" danger title={`Remove ${name}?`} confirm="Remove" run={change('removed')}>
          <p>
            Their links stop earning. What they earned so far stays theirs, and clicks made before still count. You can approve them again
            later.
          </p>
        </ConfirmButton>
      )}
    </>
  );
}

const memberTexts: StatusTexts<Member['status']> = {
  applied: ['Applied', 'wait', 'Asks to take part. Approve or refuse them.'],
  approved: ['Approved', 'good', 'Takes part: visits through their links can earn.'],
  paused: ['Paused', 'wait', 'New visits earn nothing; clicks made before still count.'],
  removed: ['Removed', 'neutral', 'No longer takes part; clicks made before still count.'],
};

export function MemberStatusChip({ status, left_at: leftAt }: Pick<Member, 'status' | 'left_at'>) {
  if (leftAt !== null)
    return <Chip label="Left" tone="neutral" meaning="The creator left; clicks made before still count. They can apply again." />;
  return <StatusChip texts={memberTexts} state={status} />;
}
