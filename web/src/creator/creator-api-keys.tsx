import { Page } from '../parts/page.tsx';
import { ApiKeys } from '../people/api-keys.tsx';
import { creatorScopes } from '../people/scopes.ts';
import { useCreatorId } from './creator-api.ts';

/** The creator's own keys: the operations are the same as for a store's. */
export function CreatorApiKeys() {
  const creator = useCreatorId();
  return (
    <Page title="API keys" intro="For programs that read your sales or make links for you. Creating a key asks for your password.">
      <ApiKeys path={`/creators/${creator}/api-keys`} choosable={creatorScopes} mayChange />
    </Page>
  );
}
