import { useChooseLanguage } from '../../session/language.ts';
import { LanguageSelect } from '../../ui/language-select.tsx';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { api } from '../../api/client.ts';
import type { ApplicationQuestion, Terms, PublicProgram } from '../../../../sdk/src/api-schema.ts';
import { apiPath } from '../../api/operations.ts';
import {
  attributionTexts,
  bonusTexts,
  leadRuleText,
  orderRuleTexts,
  noticeTexts,
  settingsTexts,
  subscriptionRuleText,
  tierTexts,
} from '../../ui/program-terms.ts';
import { formatPercent } from '../../ui/format.ts';
import { SelectField, TextField } from '../../ui/fields.tsx';
import { TextAreaField } from '../../ui/text-area-field.tsx';
import { Stat, Stats } from '../../ui/stats.tsx';
import { Form, type Values } from '../../ui/form.tsx';
import { ButtonLink, TextLink } from '../../ui/links.tsx';
import { Page, Section } from '../../ui/page.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { apiQuery, refresh } from '../../ui/queries.ts';
import { LoadingSkeleton } from '../../ui/table.tsx';
import { formatTime } from '../../ui/time.tsx';
import { CenteredPage } from '../../ui/centered-page.tsx';
import { sessionQuery, type Session } from '../../session/session.ts';
import { useBecomeCreator } from './creator-area.tsx';
import { publicProgramPath } from './creator-api.ts';
import { clearDraftAnswers, readDraftAnswers, storeDraftAnswer } from './draft-answers.ts';
import styles from './creator.module.css';
import { ProgramInvitations } from './program-invitations.tsx';
import { MembershipStatusChip } from './membership-status-chips.tsx';
import { t } from './messages.ts';
import { rich } from '../../messages/rich-text.tsx';

/** A program's public page: what it pays, its decision record, and the application. */
export function PublicProgram() {
  const { program } = useParams({ from: '/programs/$program' });
  const found = useQuery(apiQuery(publicProgramPath(program)));
  const session = useQuery(sessionQuery);
  if (found.isPending || session.isPending)
    return <PublicPage children={<Page title={t.public_program.program} children={<LoadingSkeleton />} />} />;
  if (found.isError || session.isError) {
    const again = () => void Promise.all([found.refetch(), session.refetch()]);
    const note = <ErrorAlert error={found.error ?? session.error ?? new Error('nothing was answered')} onRetry={again} />;
    return <PublicPage children={<Page title={t.public_program.program} children={note} />} />;
  }
  const { name, store_name: store, site_url: site, terms, next_terms: next } = found.data;
  return (
    <PublicPage>
      <Page
        title={name}
        above={session.data?.creator_id ? <TextLink to="/creator/programs">{t.creator_programs.programs}</TextLink> : undefined}
        intro={<>{rich(t.public_program.by({ store }), { span: <span className="mono">{new URL(site).host}</span> })}</>}
      >
        <Section title={t.public_program.commission_terms}>
          <TermsList terms={terms} />
          {next && (
            <>
              <h3 className={styles.part}>{t.public_program.effective_from({ effectiveFrom: formatTime(next.effective_from) })}</h3>
              <TermsList terms={next} />
            </>
          )}
        </Section>
        <DecisionRecord program={found.data} />
        {session.data !== null && <ProgramInvitations program={program} />}
        <ApplySection program={found.data} session={session.data} />
      </Page>
    </PublicPage>
  );
}

/** A centered reading column. */
function PublicPage({ children }: { readonly children: ReactNode }) {
  const chooseLanguage = useChooseLanguage();
  return (
    <CenteredPage action={<LanguageSelect onChoose={(language) => void chooseLanguage(language)} />}>
      <div className={styles.standalone}>{children}</div>
    </CenteredPage>
  );
}

const TermsList = ({ terms }: { readonly terms: Terms }) => (
  <ul className={styles.terms}>
    {[
      ...orderRuleTexts(terms.order_rules, terms),
      ...terms.subscription_rules.map((rule) => subscriptionRuleText(rule)),
      ...terms.leads.map(leadRuleText),
      ...(terms.tiers ? tierTexts(terms.tiers, terms) : []),
      ...bonusTexts(terms.goals),
      ...attributionTexts(terms),
      ...settingsTexts(terms),
      ...noticeTexts(terms),
    ].map((words) => (
      <li key={words}>{words}</li>
    ))}
  </ul>
);

const hoursPerDay = 24;

function DecisionRecord({ program: { record } }: { readonly program: PublicProgram }) {
  const { decided, median_approval_hours: hours, refused_basis_points: refused } = record;
  return (
    <Section title={t.public_program.approval_history} intro={t.public_program.based_on_the_latest_500}>
      {refused === null ? (
        <p style={{ margin: 0 }}>{t.public_program.not_enough_sales_have_been}</p>
      ) : (
        <Stats inside>
          <Stat
            name={t.public_program.median_approval_time}
            value={hours === null ? t.public_program.none_approved : formatHours(hours)}
            detail={t.public_program.from_the_date_of_sale}
          />
          <Stat name={t.public_program.rejected} value={formatPercent(refused)} detail={t.public_program.of_sales({ decided })} />
        </Stats>
      )}
    </Section>
  );
}

const formatHours = (hours: number): string => {
  if (hours < 1) return t.public_program.under_an_hour;
  return hours < 2 * hoursPerDay ? t.public_program.hours({ hours }) : t.public_program.days({ days: Math.round(hours / hoursPerDay) });
};

type ApplySectionProps = { readonly program: PublicProgram; readonly session: Session | null };

function ApplySection({ program, session }: ApplySectionProps) {
  if (program.my_membership !== null)
    return (
      <Section title={t.public_program.your_membership} actions={<MembershipStatusChip status={program.my_membership} />}>
        {program.my_membership === 'approved' ? (
          <ButtonLink to="/creator/links" search={{ program_id: program.id }}>
            {t.public_program.create_link}
          </ButtonLink>
        ) : (
          <TextLink to="/creator/programs">{t.public_program.view_your_programs}</TextLink>
        )}
      </Section>
    );
  if (!program.is_open) return <Section title={t.public_program.apply} children={t.public_program.this_program_isnt_accepting_applic} />;
  if (session === null)
    return (
      <Section title={t.public_program.apply} intro={t.public_program.you_need_a_free_creator}>
        <AnswerFields program={program} />
        <ButtonLink to="/sign-in" search={{ next: apiPath('/programs/{program}', { program: program.id }) }}>
          {t.public_program.sign_in_to_apply}
        </ButtonLink>
        <p style={{ marginBottom: 0 }}>
          {rich(t.public_program.new_to_tributary_create_an, {
            link: <TextLink to="/sign-up" search={{ next: apiPath('/programs/{program}', { program: program.id }) }} />,
          })}
        </p>
      </Section>
    );
  return <ApplyForm program={program} session={session} />;
}

function ApplyForm({ program, session }: { readonly program: PublicProgram; readonly session: Session }) {
  const client = useQueryClient();
  const become = useBecomeCreator();
  const isCreator = session.creator_id !== null;
  const { questions } = program;
  const send = async (values: Values, key: string) => {
    const answers = questions.map(({ label }, index) => ({ question: label, answer: values.text(`answers.${index}`) }));
    if (!isCreator) await become(values.text('name'));
    await api.post(apiPath('/programs/{program}/applications', { program: program.id }), { answers }, key);
  };
  return (
    <Section title={t.public_program.apply} intro={t.public_program.reviews_your_application_and_sees({ storeName: program.store_name })}>
      <Form
        send={send}
        done={() => {
          clearDraftAnswers(program.id);
          return refresh(client, publicProgramPath(program.id), '/creators');
        }}
        submit={isCreator ? t.public_program.apply : t.public_program.create_creator_account_and_apply}
      >
        {!isCreator && (
          <TextField
            name="name"
            label={t.public_program.creator_name}
            description={t.public_program.shown_to_merchants}
            defaultValue={session.name}
            maxLength={200}
          />
        )}
        <AnswerFields program={program} />
      </Form>
    </Section>
  );
}

/** What is typed is kept on this device, so that it survives creating an account and confirming the email address. */
function AnswerFields({ program: { id, questions } }: { readonly program: PublicProgram }) {
  const [drafts] = useState(() => readDraftAnswers(id));
  if (questions.length === 0) return null;
  return (
    <div className={styles.answers}>
      {questions.map((question, index) => (
        <QuestionField
          key={question.label}
          name={`answers.${index}`}
          question={question}
          draft={drafts[question.label] ?? ''}
          keep={(answer) => storeDraftAnswer(id, question.label, answer)}
        />
      ))}
    </div>
  );
}

const answerLengthMax = { text: 200, long_text: 2_000, url: 500 } as const;

type QuestionFieldProps = {
  readonly name: string;
  readonly question: ApplicationQuestion;
  readonly draft: string;
  readonly keep: (answer: string) => void;
};

function QuestionField({ name, question, draft, keep }: QuestionFieldProps) {
  const { label, type, required, choices } = question;
  const common = {
    name,
    label,
    optional: !required,
    defaultValue: type === 'choice' && !choices.includes(draft) ? '' : draft,
    onChange: (event: { readonly currentTarget: { readonly value: string } }) => keep(event.currentTarget.value),
  };
  if (type === 'choice') return <SelectField {...common} data={[{ value: '', label: t.public_program.choose_an_answer }, ...choices]} />;
  if (type === 'long_text') return <TextAreaField {...common} maxLength={answerLengthMax.long_text} rows={3} />;
  if (type === 'url')
    return (
      <TextField
        {...common}
        description={t.public_program.web_address_example}
        inputMode="url"
        autoComplete="url"
        maxLength={answerLengthMax.url}
      />
    );
  return <TextField {...common} maxLength={answerLengthMax.text} />;
}
