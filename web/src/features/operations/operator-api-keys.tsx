import { Page } from '../../ui/page.tsx';
import { ApiKeysSection } from '../access/api-keys-section.tsx';

export function OperatorApiKeys() {
  return (
    <Page
      title="API keys"
      intro="A key made here reads and operates every store. In live mode it starts runs only with the scope, and it never changes settings about money, confirms payouts, or reads mails."
    >
      <ApiKeysSection path="/api-keys" availableScopes={null} mayChange />
    </Page>
  );
}
