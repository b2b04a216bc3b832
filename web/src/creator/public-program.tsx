import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { api } from '../api.ts';
import type { Terms } from '../merchant/programs-api.ts';
import { orderRuleWords, settingsWords, subscriptionRuleWords } from '../merchant/terms-words.ts';
import { percentOf } from '../parts/amounts.ts';
import { countOf } from '../parts/count-of.ts';
import { TextField } from '../parts/fields.tsx';
import { Figure, Figures } from '../parts/figures.tsx';
import { Form } from '../parts/form.tsx';
import { ButtonLink, TextLink } from '../parts/links.tsx';
import { Page, Section } from '../parts/page.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { reading, refresh } from '../parts/reading.ts';
import { Waiting } from '../parts/table.tsx';
import { localDay } from '../parts/time.tsx';
import { Alone } from '../shell/alone.tsx';
import { sessionQuery, type Session } from '../shell/session.ts';
import { useBecome } from './creator-area.tsx';
import { programPath, type PublicProgram as Program } from './creator-api.ts';
import styles from './creator.module.css';
import { MemberChip } from './member-chip.tsx';

/** What anybody may read of a program, signed in or not: what it pays, how it has decided so far, and the way in. */
export function PublicProgram() {
  const { program } = useParams({ from: '/programs/$program' });
  const found = useQuery(reading<Program>(programPath(program)));
  const session = useQuery(sessionQuery);
  if (found.isPending || session.isPending) return <Framed children={<Page title="Program" children={<Waiting />} />} />;
  if (found.isError || session.isError) {
    const again = () => void Promise.all([found.refetch(), session.refetch()]);
    const note = <ProblemNote problem={found.error ?? session.error ?? new Error('nothing was answered')} onRetry={again} />;
    return <Framed children={<Page title="Program" children={note} />} />;
  }
  const { name, store_name: store, site_url: site, terms, next_terms: next } = found.data;
  return (
    <Framed>
      <Page
        title={name}
        above={session.data?.creator_id ? <TextLink to="/creator/programs">Your programs</TextLink> : undefined}
        intro={
          <>
            A program of {store}, <span className="mono">{new URL(site).host}</span>
          </>
        }
      >
        <Section title="What it pays">
          <TermsList terms={terms} />
          {next && (
            <>
              <h3 className={styles.part}>From {localDay(next.effective_from)} on</h3>
              <TermsList terms={next} />
            </>
          )}
        </Section>
        <Record program={found.data} />
        <WayIn program={found.data} session={session.data} />
      </Page>
    </Framed>
  );
}

/** A page to read, in the middle of the screen. */
const Framed = ({ children }: { readonly children: ReactNode }) => (
  <Alone>
    <div className={styles.alone}>{children}</div>
  </Alone>
);

const TermsList = ({ terms }: { readonly terms: Terms }) => (
  <ul className={styles.terms}>
    {[
      ...terms.order_rules.map((rule) => orderRuleWords(rule, terms)),
      ...terms.subscription_rules.map((rule) => subscriptionRuleWords(rule)),
      ...settingsWords(terms),
    ].map((words) => (
      <li key={words}>{words}</li>
    ))}
  </ul>
);

const hoursPerDay = 24;

function Record({ program: { record } }: { readonly program: Program }) {
  const { decided, median_approval_hours: hours, refused_basis_points: refused } = record;
  return (
    <Section title="How it has decided so far" intro="Observed, not promised: of the latest 500 decisions.">
      {refused === null ? (
        <p style={{ margin: 0 }}>Too few sales were decided to say how long approval takes or how many are refused.</p>
      ) : (
        <Figures inside>
          <Figure name="Half are approved within" value={hours === null ? 'none was' : durationWords(hours)} about="from the sale on" />
          <Figure name="Refused" value={percentOf(refused)} about={`of ${countOf(decided, 'sale')}`} />
        </Figures>
      )}
    </Section>
  );
}

const durationWords = (hours: number): string => {
  if (hours < 1) return 'an hour';
  return hours < 2 * hoursPerDay ? countOf(hours, 'hour') : countOf(Math.round(hours / hoursPerDay), 'day');
};

type WayInProps = { readonly program: Program; readonly session: Session | null };

function WayIn({ program, session }: WayInProps) {
  if (program.my_membership !== null)
    return (
      <Section title="You and this program" actions={<MemberChip status={program.my_membership} />}>
        {program.my_membership === 'approved' ? (
          <ButtonLink to="/creator/links" search={{ program: program.id }}>
            Make a link
          </ButtonLink>
        ) : (
          <TextLink to="/creator/programs">See your programs</TextLink>
        )}
      </Section>
    );
  if (!program.is_open)
    return <Section title="Apply" children="This program takes nobody at the moment. Ask the shop, or come back later." />;
  if (session === null)
    return (
      <Section title="Apply" intro="You need an account as a creator. It costs nothing.">
        <ButtonLink to="/sign-in" search={{ next: `/programs/${program.id}` }}>
          Sign in to apply
        </ButtonLink>
        <p style={{ marginBottom: 0 }}>
          New here?{' '}
          <TextLink to="/sign-up" search={{ next: `/programs/${program.id}` }}>
            Make an account
          </TextLink>
          ; the link in the mail leads back here.
        </p>
      </Section>
    );
  return <Apply program={program} session={session} />;
}

function Apply({ program, session }: { readonly program: Program; readonly session: Session }) {
  const client = useQueryClient();
  const become = useBecome();
  const isCreator = session.creator_id !== null;
  const send = async (name: string, key: string) => {
    if (!isCreator) await become(name);
    await api.post(`${programPath(program.id)}/applications`, {}, key);
  };
  return (
    <Section title="Apply" intro={`${program.store_name} sees your name and decides. You get a mail when they take you in.`}>
      <Form
        send={(values, key) => send(values.text('name'), key)}
        done={() => refresh(client, programPath(program.id), '/creators')}
        submit={isCreator ? 'Apply' : 'Become a creator and apply'}
      >
        {!isCreator && (
          <TextField name="name" label="Name" description="As merchants see you." defaultValue={session.name} maxLength={200} />
        )}
      </Form>
    </Section>
  );
}
