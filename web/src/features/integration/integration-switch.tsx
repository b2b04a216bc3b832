import { useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import type { Store } from '../../api/api-schema.ts';
import { apiPath } from '../../api/operations.ts';
import { ConfirmButton } from '../../ui/dialog.tsx';
import { refresh } from '../../ui/queries.ts';

/** Enables or disables postbacks. The confirmation explains what happens to requests sent meanwhile. */
export function IntegrationSwitch({ currentStore }: { readonly currentStore: Store }) {
  const client = useQueryClient();
  const setIntegration = (word: 'enable' | 'disable') => async () => {
    await api.post(apiPath(`/stores/{store}/integration/${word}`, { store: currentStore.id }));
    await refresh(client, '/stores');
  };
  const of = 'the integration';
  if (currentStore.integration === 'disabled')
    return (
      <ConfirmButton
        key="enable"
        label="Enable"
        subject={of}
        title="Enable the integration?"
        confirm="Enable it"
        run={setIntegration('enable')}
      >
        <p>Reports of your server are taken again from now on. Send what was refused meanwhile once more.</p>
      </ConfirmButton>
    );
  return (
    <ConfirmButton
      key="disable"
      label="Disable"
      subject={of}
      title="Disable the integration?"
      confirm="Disable it"
      danger
      run={setIntegration('disable')}
    >
      <p>Every report of your server is refused from now on, orders and refunds alike, and told in the tracking log.</p>
      <p>What was refused is not sent again by itself: send it once more after you enabled it again.</p>
    </ConfirmButton>
  );
}
