import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import type { AuditEntry, CreatorProfile, LinkOfCreator } from '../../../../sdk/src/api-schema.ts';
import { apiPath } from '../../api/operations.ts';
import { AuditSentence } from '../audit/audit-sentence.tsx';
import { Chip } from '../../ui/chip.tsx';
import { CopyableValue, CopyIcon } from '../../ui/copy.tsx';
import { DescriptionList } from '../../ui/description-list.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { formatDollars, formatUsd } from '../../ui/format.ts';
import { ButtonLink, TextLink } from '../../ui/links.tsx';
import { ShortList } from '../../ui/list.tsx';
import { EmptyState, Page, Section } from '../../ui/page.tsx';
import { apiQuery } from '../../ui/queries.ts';
import { SegmentedControl } from '../../ui/segmented-control.tsx';
import { Stat, Stats } from '../../ui/stats.tsx';
import { LoadingSkeleton, Table, type Column } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { usePermission } from '../access/permissions.tsx';
import { CommissionStatusChip } from '../conversions/commission-status-chips.tsx';
import { defaultPeriod, isPeriod, periodDays, type Period } from './creators-api.ts';
import { AddBonus } from './add-bonus.tsx';
import { ApplicationAnswers } from './application-answers.tsx';
import { CreatorChart } from './creator-chart.tsx';
import { CreatorNotes } from './creator-notes.tsx';
import { MemberRatesButton } from './member-rates.tsx';
import { MemberActions, MemberStatusChip } from './member-status.tsx';
import { formats } from '../../messages/messages.ts';
import { t } from './messages.ts';

/** The end of the page loads after the page is shown. */
const AlternativesOfCreator = lazy(async () => ({
  default: (await import('../codes/attribution-alternatives.tsx')).AlternativesOfCreator,
}));
const CodesOfCreator = lazy(async () => ({ default: (await import('../codes/creator-codes.tsx')).CodesOfCreator }));

const periods: ReadonlyArray<readonly [Period, string]> = [
  ['30d', t.creator_page.n_30_days],
  ['90d', t.creator_page.n_90_days],
  ['365d', t.creator_page.a_year],
];

/** A creator as the store sees them: results, memberships, links, commissions, notes, and history. */
export function CreatorPage() {
  const { store, creator } = useParams({ from: '/signed-in/stores/$store/creators/$creator' });
  const { last = defaultPeriod } = useSearch({ from: '/signed-in/stores/$store/creators/$creator' });
  const period = isPeriod(last) ? last : defaultPeriod;
  const profile = useQuery(
    apiQuery(apiPath('/stores/{store}/creators/{creator}', { store, creator }, { days: String(periodDays[period]) })),
  );
  const above = (
    <TextLink to="/stores/$store/creators" params={{ store }}>
      {t.creator_page.creators}
    </TextLink>
  );
  if (profile.isPending) return <Page title={t.creator_page.creator} above={above} children={<LoadingSkeleton />} />;
  if (profile.isError)
    return (
      <Page
        title={t.creator_page.creator}
        above={above}
        children={<ErrorAlert error={profile.error} onRetry={() => void profile.refetch()} />}
      />
    );
  return (
    <Page
      title={profile.data.name}
      above={above}
      actions={
        <ButtonLink variant="default" size="xs" to="/stores/$store/creator-messages" params={{ store }} search={{ creator_id: creator }}>
          {t.creator_page.send_message}
        </ButtonLink>
      }
    >
      <Results store={store} profile={profile.data} period={period} />
      <Memberships store={store} profile={profile.data} />
      <Application profile={profile.data} />
      <Commissions store={store} profile={profile.data} />
      <Links store={store} creator={creator} />
      <Codes store={store} profile={profile.data} />
      <Suspense fallback={<LoadingSkeleton />} children={<AlternativesOfCreator store={store} creator={creator} />} />
      <CreatorNotes store={store} creator={creator} />
      <History store={store} creator={creator} />
    </Page>
  );
}

type ProfileProps = { readonly store: string; readonly profile: CreatorProfile };

function Results({ store, profile, period }: ProfileProps & { readonly period: Period }) {
  const navigate = useNavigate({ from: '/stores/$store/creators/$creator' });
  const { totals } = profile;
  return (
    <Section
      title={t.creator_page.results}
      intro={t.creator_page.days_are_in_utc_amounts}
      actions={
        <SegmentedControl
          label={t.creator_page.period}
          options={periods.map(([, label]) => label)}
          value={periods.find(([value]) => value === period)?.[1] ?? ''}
          onChange={(name) => {
            const last = periods.find(([, label]) => label === name)?.[0];
            void navigate({ search: last === defaultPeriod ? {} : { last }, resetScroll: false });
          }}
        />
      }
    >
      <Stats label={t.creator_page.results} inside>
        <Stat name={t.creator_page.clicks} value={formats.number(totals.clicks)} detail={t.creator_page.by_people} />
        <Stat name={t.creator_page.orders} value={formats.number(totals.orders)} detail={t.creator_page.and_paid_subscription_invoices} />
        <Stat name={t.creator_page.revenue} value={formatUsd(totals.revenue_cents)} detail={t.creator_page.of_these_orders} />
        <Stat
          name={t.creator_page.earned}
          value={formatUsd(totals.earned_cents)}
          detail={t.creator_page.without_rejected_and_refunded_orde}
        />
      </Stats>
      <CreatorChart profile={profile} />
      <DescriptionList
        items={[
          [t.creator_page.since, <Time key="s" at={profile.joined_at} dateOnly />],
          [t.creator_page.payouts, <PayoutChip key="p" canBePaid={profile.can_be_paid} />],
          [
            t.creator_page.creator_id,
            <CopyableValue key="i" value={profile.id} label={t.creator_page.the_id_of({ name: profile.name })} />,
          ],
          [
            t.creator_page.conversions,
            <TextLink key="c" to="/stores/$store/conversions" params={{ store }} search={{ creator_id: profile.id }}>
              {t.creator_page.show_all_conversions_of_this}
            </TextLink>,
          ],
        ]}
      />
    </Section>
  );
}

const PayoutChip = ({ canBePaid }: { readonly canBePaid: boolean }) =>
  canBePaid ? (
    <Chip label={t.creator_page.can_be_paid} tone="good" meaning={t.creator_page.the_creator_has_an_active} />
  ) : (
    <Chip label={t.creator_page.cannot_be_paid_yet} tone="wait" meaning={t.creator_page.the_creator_has_no_payout} />
  );

type Membership = CreatorProfile['memberships'][number];

function Memberships({ store, profile }: ProfileProps) {
  const mayChange = usePermission(store)('programs:write');
  return (
    <Section title={t.creator_page.programs} flush>
      <Table
        caption={t.creator_page.programs}
        columns={membershipColumns({ store, profile, mayChange })}
        rows={profile.memberships}
        keyOf={({ id }) => id}
      />
    </Section>
  );
}

const membershipColumns = ({
  store,
  profile,
  mayChange,
}: ProfileProps & { readonly mayChange: boolean }): ReadonlyArray<Column<Membership>> => [
  {
    title: t.creator_page.program,
    kind: 'name',
    cell: ({ program_id: program, program_name: name }) => (
      <TextLink to="/stores/$store/programs/$program" params={{ store, program }} className="strong">
        {name}
      </TextLink>
    ),
  },
  { title: t.creator_page.state, cell: (member) => <MemberStatusChip {...member} /> },
  { title: t.creator_page.since, cell: ({ since }) => <Time at={since} dateOnly /> },
  {
    title: t.creator_page.terms,
    cell: ({ terms_version: version }) => (version === null ? t.creator_page.no_terms_yet : t.creator_page.version({ version })),
  },
  {
    title: t.member_rates.rates,
    cell: ({ id, program_id: program, program_name: name }) => <MemberRatesButton {...{ store, program, name }} member={id} />,
  },
  ...(mayChange
    ? [
        {
          title: t.creator_page.change,
          kind: 'actions' as const,
          cell: (member: Membership) => (
            <MemberActions
              store={store}
              program={member.program_id}
              member={{ ...member, creator_id: profile.id, creator_name: profile.name }}
            />
          ),
        },
      ]
    : []),
];

function Application({ profile }: { readonly profile: CreatorProfile }) {
  const answered = profile.memberships.filter(({ answers }) => answers.length > 0);
  if (answered.length === 0) return null;
  return (
    <Section title={t.creator_page.application}>
      {answered.map(({ id, program_name: program, answers }) => (
        <div key={id}>
          {answered.length > 1 && <h3>{t.creator_page.application_to({ program })}</h3>}
          <ApplicationAnswers answers={answers} />
        </div>
      ))}
    </Section>
  );
}

type StateTotals = CreatorProfile['commissions'][number];

function Commissions({ store, profile }: ProfileProps) {
  return (
    <Section
      title={t.creator_page.commissions}
      intro={t.creator_page.all_commissions_of_this_creator}
      actions={<AddBonus store={store} profile={profile} />}
      flush
    >
      {profile.commissions.length === 0 ? (
        <EmptyState title={t.creator_page.no_commissions_yet}>{t.creator_page.each_order_through_one_of}</EmptyState>
      ) : (
        <Table
          caption={t.creator_page.commissions}
          columns={stateColumns({ store, profile })}
          rows={profile.commissions}
          keyOf={({ state }) => state}
        />
      )}
    </Section>
  );
}

const stateColumns = ({ store, profile }: ProfileProps): ReadonlyArray<Column<StateTotals>> => [
  { title: t.creator_page.state, cell: ({ state }) => <CommissionStatusChip state={state} /> },
  {
    title: t.creator_page.commissions,
    kind: 'number',
    cell: ({ state, count }) => (
      <TextLink to="/stores/$store/conversions" params={{ store }} search={{ creator_id: profile.id, state }}>
        {formats.number(count)}
      </TextLink>
    ),
  },
  { title: t.creator_page.amount_usd, kind: 'number', cell: ({ amount_cents: cents }) => formatDollars(cents) },
];

type CreatorProps = { readonly store: string; readonly creator: string };

const linkColumns: ReadonlyArray<Column<LinkOfCreator>> = [
  {
    title: t.creator_page.link,
    cell: ({ url, code }) => (
      <>
        <span className="mono">{url.replace(/^https?:\/\//, '')}</span>
        <CopyIcon value={url} label={t.creator_page.the_link({ code })} />
      </>
    ),
    priority: true,
  },
  { title: t.creator_page.program, cell: ({ program_name: name }) => name },
  { title: t.creator_page.created, priority: true, cell: ({ created_at: at }) => <Time at={at} dateOnly /> },
  { title: t.creator_page.clicks, kind: 'number', cell: ({ clicks }) => formats.number(clicks), priority: true },
  { title: t.creator_page.orders, kind: 'number', cell: ({ orders }) => formats.number(orders) },
  { title: t.creator_page.commissions_usd, kind: 'number', cell: ({ earned_cents: cents }) => formatDollars(cents), priority: true },
];

const Links = (params: CreatorProps) => (
  <Section title={t.creator_page.links} intro={t.creator_page.with_all_clicks_and_orders} flush>
    <ShortList
      caption={t.creator_page.links}
      path={apiPath('/stores/{store}/creators/{creator}/links', params)}
      keyOf={({ code }) => code}
      columns={linkColumns}
      empty={<EmptyState title={t.creator_page.no_links_yet}>{t.creator_page.an_approved_creator_creates_links}</EmptyState>}
    />
  </Section>
);

function Codes({ store, profile }: ProfileProps) {
  const mayChange = usePermission(store)('programs:write');
  const owners = profile.memberships
    .filter(({ status }) => status === 'approved')
    .map((membership) => ({ ...membership, creator_id: profile.id, creator_name: profile.name }));
  const codes = <CodesOfCreator store={store} creator={profile.id} owners={owners} mayChange={mayChange} />;
  return <Suspense fallback={<LoadingSkeleton />} children={codes} />;
}

const historyColumns: ReadonlyArray<Column<AuditEntry>> = [
  { title: t.creator_page.when, cell: ({ at }) => <Time at={at} /> },
  { title: t.creator_page.change_2, cell: (entry) => <AuditSentence entry={entry} /> },
];

const History = (params: CreatorProps) => (
  <Section title={t.creator_page.history} intro={t.creator_page.changes_in_this_store_that} flush>
    <ShortList
      caption={t.creator_page.history}
      path={apiPath('/stores/{store}/creators/{creator}/history', params)}
      keyOf={({ id }) => id}
      columns={historyColumns}
      empty={<EmptyState title={t.creator_page.no_changes_yet}>{t.creator_page.approvals_pauses_new_links_and}</EmptyState>}
    />
  </Section>
);
