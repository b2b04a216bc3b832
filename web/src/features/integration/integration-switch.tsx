import { useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import type { Store } from '../../../../sdk/src/api-schema.ts';
import { apiPath } from '../../api/operations.ts';
import { ConfirmButton } from '../../ui/dialog.tsx';
import { refresh } from '../../ui/queries.ts';
import { t } from './messages.ts';

/** Enables or disables postbacks. The confirmation explains what happens to requests sent meanwhile. */
export function IntegrationSwitch({ currentStore }: { readonly currentStore: Store }) {
  const client = useQueryClient();
  const setIntegration = (word: 'enable' | 'disable') => async () => {
    await api.post(apiPath(`/stores/{store}/integration/${word}`, { store: currentStore.id }));
    await refresh(client, '/stores');
  };
  const of = t.integration_switch.integration;
  if (currentStore.integration === 'disabled')
    return (
      <ConfirmButton
        key="enable"
        label={t.integration_switch.enable}
        subject={of}
        title={t.integration_switch.enable_the_integration}
        confirm={t.integration_switch.enable_integration}
        run={setIntegration('enable')}
      >
        <p>{t.integration_switch.postbacks_from_your_server_are}</p>
      </ConfirmButton>
    );
  return (
    <ConfirmButton
      key="disable"
      label={t.integration_switch.disable}
      subject={of}
      title={t.integration_switch.disable_the_integration}
      confirm={t.integration_switch.disable_integration}
      danger
      run={setIntegration('disable')}
    >
      <p>{t.integration_switch.all_postbacks_from_your_server}</p>
      <p>{t.integration_switch.failed_postbacks_are_not_retried}</p>
    </ConfirmButton>
  );
}
