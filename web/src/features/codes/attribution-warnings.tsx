import { Alert } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { apiPath } from '../../api/operations.ts';
import { Icon } from '../../ui/icons.tsx';
import { TextLink } from '../../ui/links.tsx';
import { apiQuery } from '../../ui/queries.ts';
import { t } from './messages.ts';

/** Settings that contradict each other; hidden without any, which is the usual case. */
export function AttributionWarnings({ store, mayChange }: { readonly store: string; readonly mayChange: boolean }) {
  const found = useQuery(apiQuery(apiPath('/stores/{store}/attribution-warnings', { store }))).data?.data ?? [];
  if (found.length === 0) return null;
  return (
    <Alert color="yellow" variant="outline" icon={<Icon name="alert" />} mb="md" title={t.code_warnings.title}>
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
