import { useInfiniteQuery } from '@tanstack/react-query';
import type { Program } from '../../../../sdk/src/api-schema.ts';
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
      intro={t.invite_creators.share_a_programs_page_it}
      actions={
        <ButtonLink variant="default" size="xs" to="/stores/$store/creator-invitations" params={{ store }}>
          {t.invite_creators.invite_by_email}
        </ButtonLink>
      }
    >
      <QueryView query={programs} />
      {programs.isSuccess && all.length === 0 && (
        <>
          <p className={styles.muted}>{t.invite_creators.no_published_program_yet_creators}</p>
          {mayChange && (
            <ButtonLink variant="default" size="xs" to="/stores/$store/new-program" params={{ store }}>
              {t.invite_creators.create_a_program}
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
    return <CopyableValue value={`${window.location.origin}/p/${id}`} label={t.invite_creators.the_link_to({ name })} />;
  return (
    <p className={styles.muted}>
      {status === 'draft' ? t.invite_creators.publish_the_program_first : t.invite_creators.creators_cannot_apply_while_the}
    </p>
  );
}
