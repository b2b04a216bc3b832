import { Page } from '../../ui/page.tsx';
import { ApiKeysSection } from '../access/api-keys-section.tsx';
import { creatorScopes } from '../access/permissions.tsx';
import { useCreatorId } from './creator-api.ts';

/** The creator's API keys; the operations are the same as for a store's keys. */
export function CreatorApiKeys() {
  const creator = useCreatorId();
  return (
    <Page title="API keys" intro="For programs that read your sales or make links for you. Creating a key asks for your password.">
      <ApiKeysSection path={`/creators/${creator}/api-keys`} availableScopes={creatorScopes} mayChange />
    </Page>
  );
}
