import { useInfiniteQuery } from '@tanstack/react-query';
import type { Program } from '../../api/api-schema.ts';
import { QueryView } from '../../ui/query-view.tsx';
import { CopyableValue } from '../../ui/copy.tsx';
import { ButtonLink, TextLink } from '../../ui/links.tsx';
import { Section } from '../../ui/page.tsx';
import styles from './creators.module.css';
import { programsQuery } from '../programs/programs-api.ts';
import { ProgramStatusChip } from '../programs/program-status-chip.tsx';

type InviteCreatorsProps = { readonly store: string; readonly mayChange: boolean };

/** The public page of each program, where creators read what they earn and apply. */
export function InviteCreators({ store, mayChange }: InviteCreatorsProps) {
  const programs = useInfiniteQuery(programsQuery(store));
  const all = programs.data?.pages.flatMap(({ data }) => data) ?? [];
  return (
    <Section
      title="Invite creators"
      intro="Send them the address of a program: its page says in plain words what they earn, and lets them apply."
    >
      <QueryView query={programs} />
      {programs.isSuccess && all.length === 0 && (
        <>
          <p className={styles.muted}>There is no program yet that anybody could take part in.</p>
          {mayChange && (
            <ButtonLink variant="default" size="xs" mt="sm" to="/stores/$store/new-program" params={{ store }}>
              Make a program
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
    return <CopyableValue value={`${window.location.origin}/programs/${id}`} label={`the invitation to ${name}`} />;
  return (
    <p className={styles.muted}>
      {status === 'draft' ? 'Publish it first: a draft has no page for creators.' : 'While it is paused nobody can apply to it.'}
    </p>
  );
}
