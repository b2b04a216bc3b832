import { useQueryClient } from '@tanstack/react-query';
import { api } from '../api.ts';
import { ConfirmButton } from '../parts/dialog.tsx';
import { refresh } from '../parts/reading.ts';
import { storePath, type Store } from './stores-api.ts';

/** Whether reports of the shop's server are taken: it asks first, and says what becomes of those that are sent meanwhile. */
export function IntegrationSwitch({ shop }: { readonly shop: Store }) {
  const client = useQueryClient();
  const turn = (word: 'enable' | 'disable') => async () => {
    await api.post(`${storePath(shop.id)}/integration/${word}`);
    await refresh(client, '/stores');
  };
  const of = 'the integration';
  if (shop.integration === 'disabled')
    return (
      <ConfirmButton key="enable" label="Enable" of={of} title="Enable the integration?" confirm="Enable it" run={turn('enable')}>
        <p>Reports of your server are taken again from now on. Send what was refused meanwhile once more.</p>
      </ConfirmButton>
    );
  return (
    <ConfirmButton key="disable" label="Disable" of={of} title="Disable the integration?" confirm="Disable it" danger run={turn('disable')}>
      <p>Every report of your server is refused from now on, orders and refunds alike, and told in the tracking log.</p>
      <p>What was refused is not sent again by itself: send it once more after you enabled it again.</p>
    </ConfirmButton>
  );
}
