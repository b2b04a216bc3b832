import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { api } from '../../api/client.ts';
import type { Terms, PublicProgram } from '../../api/api-schema.ts';
import { apiPath } from '../../api/operations.ts';
import { orderRuleText, settingsTexts, subscriptionRuleText } from '../programs/terms-text.ts';
import { formatPercent, formatCount } from '../../ui/format.ts';
import { TextField } from '../../ui/fields.tsx';
import { Stat, Stats } from '../../ui/stats.tsx';
import { Form } from '../../ui/form.tsx';
import { ButtonLink, TextLink } from '../../ui/links.tsx';
import { Page, Section } from '../../ui/page.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { apiQuery, refresh } from '../../ui/queries.ts';
import { LoadingSkeleton } from '../../ui/table.tsx';
import { formatDay } from '../../ui/time.tsx';
import { CenteredPage } from '../../ui/centered-page.tsx';
import { sessionQuery, type Session } from '../../session/session.ts';
import { useBecomeCreator } from './creator-area.tsx';
import { publicProgramPath } from './creator-api.ts';
import styles from './creator.module.css';
import { MembershipStatusChip } from './membership-status-chips.tsx';

/** A program's public page: what it pays, its decision record, and the application. */
export function PublicProgram() {
  const { program } = useParams({ from: '/programs/$program' });
  const found = useQuery(apiQuery(publicProgramPath(program)));
  const session = useQuery(sessionQuery);
  if (found.isPending || session.isPending) return <PublicPage children={<Page title="Program" children={<LoadingSkeleton />} />} />;
  if (found.isError || session.isError) {
    const again = () => void Promise.all([found.refetch(), session.refetch()]);
    const note = <ErrorAlert error={found.error ?? session.error ?? new Error('nothing was answered')} onRetry={again} />;
    return <PublicPage children={<Page title="Program" children={note} />} />;
  }
  const { name, store_name: store, site_url: site, terms, next_terms: next } = found.data;
  return (
    <PublicPage>
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
              <h3 className={styles.part}>From {formatDay(next.effective_from)} on</h3>
              <TermsList terms={next} />
            </>
          )}
        </Section>
        <DecisionRecord program={found.data} />
        <ApplySection program={found.data} session={session.data} />
      </Page>
    </PublicPage>
  );
}

/** A centered reading column. */
const PublicPage = ({ children }: { readonly children: ReactNode }) => (
  <CenteredPage>
    <div className={styles.standalone}>{children}</div>
  </CenteredPage>
);

const TermsList = ({ terms }: { readonly terms: Terms }) => (
  <ul className={styles.terms}>
    {[
      ...terms.order_rules.map((rule) => orderRuleText(rule, terms)),
      ...terms.subscription_rules.map((rule) => subscriptionRuleText(rule)),
      ...settingsTexts(terms),
    ].map((words) => (
      <li key={words}>{words}</li>
    ))}
  </ul>
);

const hoursPerDay = 24;

function DecisionRecord({ program: { record } }: { readonly program: PublicProgram }) {
  const { decided, median_approval_hours: hours, refused_basis_points: refused } = record;
  return (
    <Section title="How it has decided so far" intro="Observed, not promised: of the latest 500 decisions.">
      {refused === null ? (
        <p style={{ margin: 0 }}>Too few sales were decided to say how long approval takes or how many are refused.</p>
      ) : (
        <Stats inside>
          <Stat name="Half are approved within" value={hours === null ? 'none was' : formatHours(hours)} detail="from the sale on" />
          <Stat name="Refused" value={formatPercent(refused)} detail={`of ${formatCount(decided, 'sale')}`} />
        </Stats>
      )}
    </Section>
  );
}

const formatHours = (hours: number): string => {
  if (hours < 1) return 'an hour';
  return hours < 2 * hoursPerDay ? formatCount(hours, 'hour') : formatCount(Math.round(hours / hoursPerDay), 'day');
};

type ApplySectionProps = { readonly program: PublicProgram; readonly session: Session | null };

function ApplySection({ program, session }: ApplySectionProps) {
  if (program.my_membership !== null)
    return (
      <Section title="You and this program" actions={<MembershipStatusChip status={program.my_membership} />}>
        {program.my_membership === 'approved' ? (
          <ButtonLink to="/creator/links" search={{ program_id: program.id }}>
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
        <ButtonLink to="/sign-in" search={{ next: apiPath('/programs/{program}', { program: program.id }) }}>
          Sign in to apply
        </ButtonLink>
        <p style={{ marginBottom: 0 }}>
          New here?{' '}
          <TextLink to="/sign-up" search={{ next: apiPath('/programs/{program}', { program: program.id }) }}>
            Make an account
          </TextLink>
          ; the link in the mail leads back here.
        </p>
      </Section>
    );
  return <ApplyForm program={program} session={session} />;
}

function ApplyForm({ program, session }: { readonly program: PublicProgram; readonly session: Session }) {
  const client = useQueryClient();
  const become = useBecomeCreator();
  const isCreator = session.creator_id !== null;
  const send = async (name: string, key: string) => {
    if (!isCreator) await become(name);
    await api.post(apiPath('/programs/{program}/applications', { program: program.id }), {}, key);
  };
  return (
    <Section title="Apply" intro={`${program.store_name} sees your name and decides. You get a mail when they take you in.`}>
      <Form
        send={(values, key) => send(values.text('name'), key)}
        done={() => refresh(client, publicProgramPath(program.id), '/creators')}
        submit={isCreator ? 'Apply' : 'Become a creator and apply'}
      >
        {!isCreator && (
          <TextField name="name" label="Name" description="As merchants see you." defaultValue={session.name} maxLength={200} />
        )}
      </Form>
    </Section>
  );
}
