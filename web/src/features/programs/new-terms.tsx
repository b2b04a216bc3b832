import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { api } from '../../api/client.ts';
import { QueryView } from '../../ui/query-view.tsx';
import { apiPath } from '../../api/operations.ts';
import { TextLink } from '../../ui/links.tsx';
import { Page, Section } from '../../ui/page.tsx';
import { refresh } from '../../ui/queries.ts';
import { RequirePermission } from '../access/permissions.tsx';
import { programPath, termsQuery } from './programs-api.ts';
import { TermsForm } from './terms-form.tsx';

export function NewTerms() {
  const { store, program } = useParams({ from: '/signed-in/stores/$store/programs/$program/new-terms' });
  const client = useQueryClient();
  const navigate = useNavigate();
  const versions = useInfiniteQuery(termsQuery(store, program));
  const back = (label: string) => (
    <TextLink to="/stores/$store/programs/$program" params={{ store, program }}>
      {label}
    </TextLink>
  );
  const done = async () => {
    await refresh(client, programPath(store, program));
    await navigate({ to: '/stores/$store/programs/$program', params: { store, program } });
  };
  const last = versions.data?.pages[0]?.data[0] ?? null;
  return (
    <Page
      title={last === null ? 'Write the first terms' : 'New version of the terms'}
      narrow
      above={back('Program')}
      intro={
        last === null
          ? 'What partners earn, and from when.'
          : `It begins with the rules of version ${last.version}. That version stays as it is, for the orders of its time.`
      }
    >
      <Section title="What is paid">
        <RequirePermission store={store} scope="programs:write">
          <QueryView query={versions}>
            {() => (
              <TermsForm
                store={store}
                program={program}
                former={last}
                send={(body, key) => api.post(apiPath('/stores/{store}/programs/{program}/terms', { store, program }), body, key)}
                done={done}
                beside={back('Cancel')}
              />
            )}
          </QueryView>
        </RequirePermission>
      </Section>
    </Page>
  );
}
