import type { Store } from '../../../../sdk/src/api-schema.ts';
import { Chip, StatusChip, type StatusTexts } from '../../ui/chip.tsx';
import { t } from './messages.ts';

const storeTexts: StatusTexts<Store['status']> = {
  active: [t.store_status_chips.active, 'good', t.store_status_chips.the_store_is_active_clicks],
  past_due: [t.store_status_chips.past_due, 'bad', t.store_status_chips.an_invoice_could_not_be],
  archived: [t.store_status_chips.archived, 'neutral', t.store_status_chips.the_store_is_archived_new],
};

export function StoreStatusChip({ status }: Pick<Store, 'status'>) {
  return <StatusChip texts={storeTexts} state={status} />;
}

export function IntegrationStatusChip({ integration }: Pick<Store, 'integration'>) {
  return integration === 'enabled' ? (
    <Chip label={t.store_status_chips.enabled} tone="good" meaning={t.store_status_chips.postbacks_from_your_server_are} />
  ) : (
    <Chip label={t.store_status_chips.disabled} tone="wait" meaning={t.store_status_chips.postbacks_fail_until_you_enable} />
  );
}

export function TrackingStatusChip({ isOn }: { readonly isOn: boolean }) {
  return isOn ? (
    <Chip label={t.store_status_chips.on} tone="good" meaning={t.store_status_chips.a_test_order_was_verified} />
  ) : (
    <Chip label={t.store_status_chips.off} tone="wait" meaning={t.store_status_chips.no_verified_test_order_yet} />
  );
}
