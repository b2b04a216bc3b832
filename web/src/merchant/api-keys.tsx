import { useParams } from '@tanstack/react-router';
import { Page } from '../parts/page.tsx';
import { ApiKeys } from '../people/api-keys.tsx';
import { useMay } from '../people/may.ts';
import { scopes } from '../people/scopes.ts';
import { storePath } from './stores-api.ts';

export function StoreApiKeys() {
  const { store } = useParams({ from: '/inside/stores/$store' });
  const may = useMay(store);
  return (
    <Page
      title="API keys"
      intro="For programs that read or change what this dashboard shows. For reporting orders there are postback keys, under Integration."
    >
      <ApiKeys path={`${storePath(store)}/api-keys`} choosable={scopes.filter(([scope]) => may(scope))} mayChange={may('team:write')} />
    </Page>
  );
}
