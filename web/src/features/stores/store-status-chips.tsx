import type { Store } from '../../api/api-schema.ts';
import { Chip, StatusChip, type StatusTexts } from '../../ui/chip.tsx';
import { t } from './messages.ts';

const storeTexts: StatusTexts<Store['status']> = {
  active: [t.store_status_chips.active, 'good', t.store_status_chips.the_store_is_open_links],
  past_due: [t.store_status_chips.past_due, 'bad', t.store_status_chips.a_bill_could_not_be],
  archived: [t.store_status_chips.archived, 'neutral', t.store_status_chips.the_store_is_put_away],
};

export function StoreStatusChip({ status }: Pick<Store, 'status'>) {
  return <StatusChip texts={storeTexts} state={status} />;
}

export function IntegrationStatusChip({ integration }: Pick<Store, 'integration'>) {
  return integration === 'enabled' ? (
    <Chip label={t.store_status_chips.enabled} tone="good" meaning={t.store_status_chips.postbacks_of_your_server_are} />
  ) : (
    <Chip label={t.store_status_chips.disabled} tone="wait" meaning={t.store_status_chips.postbacks_are_refused_until_you} />
  );
}

export function TrackingStatusChip({ isOn }: { readonly isOn: boolean }) {
  return isOn ? (
    <Chip label={t.store_status_chips.on} tone="good" meaning={t.store_status_chips.a_test_order_went_all} />
  ) : (
    <Chip label={t.store_status_chips.off} tone="wait" meaning={t.store_status_chips.no_test_order_has_arrived} />
  );
}
