import { useQueryClient } from '@tanstack/react-query';
import { api } from '../api.ts';
import { ConfirmButton } from '../parts/dialog.tsx';
import { refresh } from '../parts/reading.ts';
import { membersPath, type Member } from './members-api.ts';
import { storePath } from './stores-api.ts';

type MemberChangesProps = { readonly store: string; readonly program: string; readonly member: Member };

/** What may become of somebody who takes part, or asks to: each asks first, and says what it means for their links. */
export function MemberChanges({ store, program, member }: MemberChangesProps) {
  const client = useQueryClient();
  const change = (status: Member['status']) => async () => {
    await api.patch(`${membersPath(store, program)}/${member.id}`, { status });
    // They are counted and listed in several places: on the overview, in the program, among all creators.
    await refresh(client, storePath(store));
  };
  const name = member.creator_name;
  const common = { look: 'subtle', of: name } as const;
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
