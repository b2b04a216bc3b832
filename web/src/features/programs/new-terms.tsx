import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { api } from '../../api/client.ts';
import { QueryView } from '../../ui/query-view.tsx';
import { apiPath } from '../../api/operations.ts';
import { TextLink } from '../../ui/links.tsx';
import { Page, Section } from '../../ui/page.tsx';
import { refresh } from '../../ui/queries.ts';
import { RequirePermission, usePermission } from '../access/permissions.tsx';
import { programPath, programQuery, termsQuery } from './programs-api.ts';
import { ImportTerms } from './import-terms.tsx';
import { TermsForm } from './terms-form.tsx';
import { t } from './messages.ts';

export function NewTerms() {
  const { store, program } = useParams({ from: '/signed-in/stores/$store/programs/$program/new-terms' });
  const client = useQueryClient();
  const mayChange = usePermission(store)('programs:write');
  const navigate = useNavigate();
  const current = useQuery(programQuery(store, program));
  const versions = useInfiniteQuery(termsQuery(store, program));
  const back = (label: string) => (
    <TextLink to="/stores/$store/programs/$program" params={{ store, program }}>
      {label}
    </TextLink>
  );
  const parents = (label: string) => [
    <TextLink key="programs" to="/stores/$store/programs" params={{ store }}>
      {t.program_page.programs}
    </TextLink>,
    <span key="program">{back(label)}</span>,
  ];
  const done = async () => {
    await refresh(client, programPath(store, program));
    await navigate({ to: '/stores/$store/programs/$program', params: { store, program } });
  };
  const last = versions.data?.pages[0]?.data[0] ?? null;
  return (
    <Page
      title={last === null ? t.new_terms.set_the_first_terms : t.new_terms.new_version_of_the_terms}
      narrow
      above={parents(current.data?.name ?? t.new_terms.program)}
      intro={last === null ? t.new_terms.set_what_creators_earn_and : t.new_terms.starts_with_the_rules_of({ version: last.version })}
    >
      <Section title={t.new_terms.commission_rules}>
        <RequirePermission store={store} scope="programs:write">
          <QueryView query={versions}>
            {() => (
              <TermsForm
                store={store}
                program={program}
                former={last}
                send={(body, key) => api.post(apiPath('/stores/{store}/programs/{program}/terms', { store, program }), body, key)}
                done={done}
                beside={back(t.new_terms.cancel)}
              />
            )}
          </QueryView>
        </RequirePermission>
      </Section>
      {mayChange && <ImportTerms store={store} program={program} done={done} />}
    </Page>
  );
}
