import { useInfiniteQuery } from '@tanstack/react-query';
import type { Program } from '../../api/api-schema.ts';
import { QueryView } from '../../ui/query-view.tsx';
import { CopyableValue } from '../../ui/copy.tsx';
import { ButtonLink, TextLink } from '../../ui/links.tsx';
import { Section } from '../../ui/page.tsx';
import styles from './creators.module.css';
import { programsQuery } from '../programs/programs-api.ts';
import { ProgramStatusChip } from '../programs/program-status-chip.tsx';
import { t } from './messages.ts';

type InviteCreatorsProps = { readonly store: string; readonly mayChange: boolean };

/** The public page of each program, where creators read what they earn and apply. */
export function InviteCreators({ store, mayChange }: InviteCreatorsProps) {
  const programs = useInfiniteQuery(programsQuery(store));
  const all = programs.data?.pages.flatMap(({ data }) => data) ?? [];
  return (
    <Section
      title={t.invite_creators.invite_creators}
      intro={t.invite_creators.send_them_the_address_of}
      actions={
        <ButtonLink variant="default" size="xs" to="/stores/$store/creator-invitations" params={{ store }}>
          {t.invite_creators.invite_by_email}
        </ButtonLink>
      }
    >
      <QueryView query={programs} />
      {programs.isSuccess && all.length === 0 && (
        <>
          <p className={styles.muted}>{t.invite_creators.there_is_no_program_yet}</p>
          {mayChange && (
            <ButtonLink variant="default" size="xs" mt="sm" to="/stores/$store/new-program" params={{ store }}>
              {t.invite_creators.make_a_program}
            </ButtonLink>
          )}
        </>
      )}
      {all.length > 0 && (
        <ul className={styles.invitations}>
          {all.map((program) => (
            <li key={program.id}>
              <div className={styles.program}>
                <TextLink to="/stores/$store/programs/$program" params={{ store, program: program.id }}>
                  {program.name}
                </TextLink>
                <ProgramStatusChip status={program.status} />
              </div>
              <InvitationLink program={program} />
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

function InvitationLink({ program: { id, name, status } }: { readonly program: Program }) {
  if (status === 'published')
    return <CopyableValue value={`${window.location.origin}/programs/${id}`} label={t.invite_creators.the_invitation_to({ name })} />;
  return (
    <p className={styles.muted}>
      {status === 'draft' ? t.invite_creators.publish_it_first_a_draft : t.invite_creators.while_it_is_paused_nobody}
    </p>
  );
}
