import type { Store } from '../../api/api-schema.ts';
import { Chip, StatusChip, type StatusTexts } from '../../ui/chip.tsx';

const storeTexts: StatusTexts<Store['status']> = {
  active: ['Active', 'good', 'The store is open: links lead to it and orders earn.'],
  past_due: ['Past due', 'bad', 'A bill could not be charged. Links pause until the payment method is mended.'],
  archived: ['Archived', 'neutral', 'The store is put away. Its links give no clicks, and what was earned is still billed and paid.'],
};

export function StoreStatusChip({ status }: Pick<Store, 'status'>) {
  return <StatusChip texts={storeTexts} state={status} />;
}

export function IntegrationStatusChip({ integration }: Pick<Store, 'integration'>) {
  return integration === 'enabled' ? (
    <Chip label="Enabled" tone="good" meaning="Postbacks of your server are read." />
  ) : (
    <Chip label="Disabled" tone="wait" meaning="Postbacks are refused until you enable the integration again." />
  );
}

export function TrackingStatusChip({ isOn }: { readonly isOn: boolean }) {
  return isOn ? (
    <Chip label="On" tone="good" meaning="A test order went all the way: clicks and orders find each other." />
  ) : (
    <Chip label="Off" tone="wait" meaning="No test order has arrived yet. One that goes all the way switches tracking on." />
  );
}
