import { useInfiniteQuery } from '@tanstack/react-query';
import { Copyable } from '../parts/copy.tsx';
import { ButtonLink, TextLink } from '../parts/links.tsx';
import { Section } from '../parts/page.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { Waiting } from '../parts/table.tsx';
import styles from './creators.module.css';
import { programList, type Program } from './programs-api.ts';
import { ProgramChip } from './store-chips.tsx';

type InviteCreatorsProps = { readonly store: string; readonly mayChange: boolean };

/** The public page of each program, where creators read what they would earn, and apply. */
export function InviteCreators({ store, mayChange }: InviteCreatorsProps) {
  const programs = useInfiniteQuery(programList(store));
  const all = programs.data?.pages.flatMap(({ data }) => data) ?? [];
  return (
    <Section
      title="Invite creators"
      intro="Send them the address of a program: its page says in plain words what they earn, and lets them apply."
    >
      {programs.isPending && <Waiting />}
      {programs.isError && <ProblemNote problem={programs.error} onRetry={() => void programs.refetch()} />}
      {programs.isSuccess && all.length === 0 && (
        <>
          <p className={styles.quiet}>There is no program yet that anybody could take part in.</p>
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
                <ProgramChip status={program.status} />
              </div>
              <Address program={program} />
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

function Address({ program: { id, name, status } }: { readonly program: Program }) {
  if (status === 'published') return <Copyable value={`${window.location.origin}/programs/${id}`} label={`the invitation to ${name}`} />;
  return (
    <p className={styles.quiet}>
      {status === 'draft' ? 'Publish it first: a draft has no page for creators.' : 'While it is paused nobody can apply to it.'}
    </p>
  );
}
