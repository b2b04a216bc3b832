import { Chip } from '../../ui/chip.tsx';
import type { Member } from '../creators/members-api.ts';
import type { Program } from '../programs/programs-api.ts';
import type { Store } from './stores-api.ts';

export function StoreStatusChip({ status }: Pick<Store, 'status'>) {
  switch (status) {
    case 'active':
      return <Chip label="Active" tone="good" meaning="The store is open: links lead to it and orders earn." />;
    case 'past_due':
      return <Chip label="Past due" tone="bad" meaning="A bill could not be charged. Links pause until the payment method is mended." />;
    case 'archived':
      return (
        <Chip
          label="Archived"
          tone="neutral"
          meaning="The store is put away. Its links give no clicks, and what was earned is still billed and paid."
        />
      );
  }
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

export function ProgramStatusChip({ status }: Pick<Program, 'status'>) {
  switch (status) {
    case 'draft':
      return (
        <Chip label="Draft" tone="neutral" meaning="Not open yet. Publishing needs tracking to be on and terms that say what is paid." />
      );
    case 'published':
      return <Chip label="Published" tone="good" meaning="Open: its links give clicks, and orders earn by its terms." />;
    case 'paused':
      return <Chip label="Paused" tone="wait" meaning="Its links give no new clicks. Orders of earlier clicks still earn." />;
  }
}

export function MemberStatusChip({ status, left_at: leftAt }: Pick<Member, 'status' | 'left_at'>) {
  if (leftAt !== null)
    return <Chip label="Left" tone="neutral" meaning="The creator left; clicks made before still count. They can apply again." />;
  switch (status) {
    case 'applied':
      return <Chip label="Applied" tone="wait" meaning="Asks to take part. Approve or refuse them." />;
    case 'approved':
      return <Chip label="Approved" tone="good" meaning="Takes part: visits through their links can earn." />;
    case 'paused':
      return <Chip label="Paused" tone="wait" meaning="New visits earn nothing; clicks made before still count." />;
    case 'removed':
      return <Chip label="Removed" tone="neutral" meaning="No longer takes part; clicks made before still count." />;
  }
}
