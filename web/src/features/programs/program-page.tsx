import { Button } from '../../ui/button.tsx';
import { useQuery, useQueryClient, useMutation, type UseMutationResult } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { api, ApiError } from '../../api/client.ts';
import { apiPath } from '../../api/operations.ts';
import type { Program } from '../../../../sdk/src/api-schema.ts';
import { ConfirmButton } from '../../ui/dialog.tsx';
import { useHasRows, refresh } from '../../ui/queries.ts';
import { ButtonLink, TextLink } from '../../ui/links.tsx';
import { Page, Section } from '../../ui/page.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { LoadingSkeleton } from '../../ui/table.tsx';
import { usePermission } from '../access/permissions.tsx';
import { ProgramAssets } from './program-assets.tsx';
import { ProgramBudget } from './program-budget.tsx';
import { ProgramGroups } from './program-groups.tsx';
import { ProgramLeaderboard } from './program-leaderboard.tsx';
import { ProgramMembers } from './program-members.tsx';
import { programQuery, termsQuery } from './programs-api.ts';
import { LeadSimulatorSection } from './lead-simulator.tsx';
import { Simulator } from './simulator.tsx';
import { ProgramStatusChip } from './program-status-chip.tsx';
import { TermsVersions } from './terms-versions.tsx';
import { t } from './messages.ts';
import { rich } from '../../messages/rich-text.tsx';

/** One program: its terms and members. */
export function ProgramPage() {
  const params = useParams({ from: '/signed-in/stores/$store/programs/$program' });
  const program = useQuery(programQuery(params.store, params.program));
  const above = (
    <TextLink to="/stores/$store/programs" params={params}>
      {t.program_page.programs}
    </TextLink>
  );
  if (program.isSuccess) return <ProgramContent program={program.data} params={params} above={above} />;
  return (
    <Page title={t.program_page.program} above={above}>
      {program.isPending ? <LoadingSkeleton /> : <ErrorAlert error={program.error} onRetry={() => void program.refetch()} />}
    </Page>
  );
}

type ProgramContentProps = {
  readonly program: Program;
  readonly params: { readonly store: string; readonly program: string };
  readonly above: React.ReactNode;
};

function ProgramContent({ program, params, above }: ProgramContentProps) {
  const { store } = params;
  const mayChange = usePermission(store)('programs:write');
  const hasTerms = useHasRows(termsQuery(store, program.id));
  const publish = useMutation({ mutationFn: useChangeStatus(store, program.id, 'publish') });
  return (
    <Page
      title={program.name}
      above={above}
      intro={
        <>
          {rich(t.program_page.links_lead_to({ landingUrl: program.landing_url }), {
            program_status_chip: <ProgramStatusChip status={program.status} />,
          })}
        </>
      }
      actions={
        mayChange && (
          <>
            <ButtonLink variant="default" to="/stores/$store/programs/$program/settings" params={params}>
              {t.program_page.settings}
            </ButtonLink>
            <PublishButton store={store} program={program} publish={publish} hasTerms={hasTerms} />
          </>
        )
      }
    >
      {publish.error && <ErrorAlert error={publish.error} next={<TestLinkHint store={store} problem={publish.error} />} />}
      <Section
        title={t.program_page.terms}
        intro={t.program_page.terms_are_versioned_orders_keep}
        flush
        actions={
          mayChange &&
          hasTerms && (
            <ButtonLink variant="default" size="xs" to="/stores/$store/programs/$program/new-terms" params={params}>
              {t.program_page.new_version}
            </ButtonLink>
          )
        }
      >
        <TermsVersions store={store} program={program.id} />
      </Section>
      {hasTerms && (
        <Section title={t.program_page.simulate_an_order} intro={t.program_page.uses_the_same_calculation_as}>
          <Simulator store={store} program={program.id} withProducts />
        </Section>
      )}
      <LeadSimulatorSection store={store} program={program.id} />
      {hasTerms && <ProgramBudget store={store} program={program.id} />}
      <ProgramAssets store={store} program={program.id} mayChange={mayChange} />
      <ProgramLeaderboard store={store} program={program.id} mayChange={mayChange} />
      <ProgramGroups store={store} program={program.id} mayChange={mayChange} />
      <ProgramMembers store={store} program={program.id} mayChange={mayChange} />
    </Page>
  );
}

function useChangeStatus(store: string, program: string, word: 'publish' | 'pause'): () => Promise<unknown> {
  const client = useQueryClient();
  return async () => {
    await api.post(apiPath(`/stores/{store}/programs/{program}/${word}`, { store, program }));
    await refresh(client, apiPath('/stores/{store}', { store }));
  };
}

type PublishButtonProps = {
  readonly store: string;
  readonly program: Program;
  readonly publish: UseMutationResult<unknown, Error, void>;
  /** Without terms the program cannot be published, so writing them is the primary action. */
  readonly hasTerms: boolean;
};

function PublishButton({ store, program, publish, hasTerms }: PublishButtonProps) {
  const pause = useChangeStatus(store, program.id, 'pause');
  if (program.status !== 'published') {
    return (
      <Button variant={hasTerms ? 'filled' : 'default'} loading={publish.isPending} onClick={() => publish.mutate()}>
        {t.program_page.publish}
      </Button>
    );
  }
  return (
    <ConfirmButton
      label={t.program_page.pause}
      size="sm"
      title={t.program_page.pause_this_program}
      confirm={t.program_page.pause_program}
      run={pause}
    >
      <p>{t.program_page.new_clicks_on_its_links}</p>
    </ConfirmButton>
  );
}

function TestLinkHint({ store, problem }: { readonly store: string; readonly problem: Error }) {
  if (!(problem instanceof ApiError) || problem.reason !== 'tracking_is_off') return null;
  return (
    <ButtonLink variant="default" size="xs" to="/stores/$store/integration" params={{ store }}>
      {t.program_page.create_a_test_link}
    </ButtonLink>
  );
}
