import { Page } from '../parts/page.tsx';
import { ApiKeys } from '../people/api-keys.tsx';

export function OperatorApiKeys() {
  return (
    <Page title="API keys" intro="A key made here may do all that an operator may, in every store. For a single store, make one there.">
      <ApiKeys path="/api-keys" choosable={null} mayChange />
    </Page>
  );
}
