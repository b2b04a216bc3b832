import { Button } from '../../ui/button.tsx';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import type { OwnProgramInvitation } from '../../../../sdk/src/api-schema.ts';
import { apiPath } from '../../api/operations.ts';
import { ConfirmButton } from '../../ui/dialog.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { TextLink } from '../../ui/links.tsx';
import { hasRowsOrError, ListView, useShortList } from '../../ui/list.tsx';
import { Section } from '../../ui/page.tsx';
import { useReadOnly } from '../../ui/read-only.ts';
import { formatDay } from '../../ui/time.tsx';
import styles from './creator.module.css';
import { t } from './messages.ts';

type ProgramInvitationsProps = { /** Only the invitations to this program. */ readonly program?: string };

/** The open invitations of the signed-in person; hidden when there are none. */
export function ProgramInvitations({ program }: ProgramInvitationsProps) {
  const list = useShortList('/profile/program-invitations');
  const isShown = ({ program_id: id }: OwnProgramInvitation) => program === undefined || id === program;
  if (!hasRowsOrError({ ...list, rows: list.rows.filter(isShown) })) return null;
  return (
    <Section title={t.program_invitations.invitations} intro={t.program_invitations.intro}>
      <ListView list={list} empty={null}>
        {(rows) => (
          <ul className={styles.invitations}>
            {rows.filter(isShown).map((invitation) => (
              <Invitation key={invitation.id} invitation={invitation} />
            ))}
          </ul>
        )}
      </ListView>
    </Section>
  );
}

function Invitation({ invitation }: { readonly invitation: OwnProgramInvitation }) {
  const { id, program_id: program, program_name: name, store_name: store, message, expires_at: expires } = invitation;
  const client = useQueryClient();
  const isReadOnly = useReadOnly();
  // Joining can make a person a creator, which changes the session, the portal, and the page of the program.
  const accept = useMutation({
    mutationFn: () => api.post(apiPath('/profile/program-invitations/{invitation}/accept', { invitation: id })),
    onSuccess: () => client.invalidateQueries(),
  });
  const decline = async () => {
    await api.post(apiPath('/profile/program-invitations/{invitation}/decline', { invitation: id }));
    await client.invalidateQueries();
  };
  return (
    <li>
      <ErrorAlert error={accept.error} takesFocus />
      <p className={styles.invitationTitle}>
        <TextLink to="/programs/$program" params={{ program }} className="strong">
          {name}
        </TextLink>{' '}
        {t.program_invitations.of_store({ store })}
      </p>
      {message !== null && <blockquote className={styles.invitationMessage}>{message}</blockquote>}
      <p className={styles.muted}>{t.program_invitations.expires({ day: formatDay(expires) })}</p>
      <div className={styles.invitationButtons}>
        <Button
          size="xs"
          loading={accept.isPending}
          disabled={isReadOnly}
          aria-label={t.program_invitations.accept_named({ name })}
          onClick={() => accept.mutate()}
        >
          {t.program_invitations.accept}
        </Button>
        <ConfirmButton
          label={t.program_invitations.decline}
          subject={name}
          title={t.program_invitations.decline_question}
          confirm={t.program_invitations.decline}
          run={decline}
        >
          <p>{t.program_invitations.decline_text({ store })}</p>
        </ConfirmButton>
      </div>
    </li>
  );
}
