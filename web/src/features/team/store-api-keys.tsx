import { useParams } from '@tanstack/react-router';
import { Page } from '../../ui/page.tsx';
import { ApiKeysSection } from '../access/api-keys-section.tsx';
import { usePermission, storeScopes } from '../access/permissions.tsx';
import { storePath } from '../stores/stores-api.ts';

export function StoreApiKeys() {
  const { store } = useParams({ from: '/signed-in/stores/$store' });
  const may = usePermission(store);
  return (
    <Page
      title="API keys"
      intro="For programs that read or change what this dashboard shows. For reporting orders there are postback keys, under Integration."
    >
      <ApiKeysSection
        path={`${storePath(store)}/api-keys`}
        availableScopes={storeScopes.filter(([scope]) => may(scope))}
        mayChange={may('team:write')}
      />
    </Page>
  );
}
