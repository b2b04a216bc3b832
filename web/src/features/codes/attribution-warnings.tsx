import { Alert } from '../../ui/alert.tsx';
import { useQuery } from '@tanstack/react-query';
import { TextLink } from '../../ui/links.tsx';
import { apiQuery } from '../../ui/queries.ts';
import { attributionWarningsPath } from './codes-api.ts';
import { t } from './messages.ts';

/** Settings that contradict each other; hidden without any, which is the usual case. */
export function AttributionWarnings({ store, mayChange }: { readonly store: string; readonly mayChange: boolean }) {
  const found = useQuery(apiQuery(attributionWarningsPath(store))).data?.data ?? [];
  if (found.length === 0) return null;
  return (
    <Alert color="yellow" title={t.code_warnings.title}>
      {found.map(({ warning, program_id: program, message }) => (
        <p key={`${program} ${warning}`} style={{ margin: '0 0 8px' }}>
          {message}{' '}
          {mayChange && (
            <TextLink to="/stores/$store/programs/$program/new-terms" params={{ store, program }}>
              {t.code_warnings.change_terms}
            </TextLink>
          )}
        </p>
      ))}
    </Alert>
  );
}
