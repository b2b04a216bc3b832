import { Page } from '../parts/page.tsx';
import { ApiKeys } from '../people/api-keys.tsx';

export function OperatorApiKeys() {
  return (
    <Page
      title="API keys"
      intro="A key made here reads and operates every store. In live mode it starts runs only with the scope, and it never changes settings about money, confirms payouts, or reads mails."
    >
      <ApiKeys path="/api-keys" choosable={null} mayChange />
    </Page>
  );
}
