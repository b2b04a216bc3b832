import { Chip } from '../parts/chip.tsx';
import type { Member } from './members-api.ts';
import type { Program } from './programs-api.ts';
import type { Store } from './stores-api.ts';

export function StoreChip({ status }: Pick<Store, 'status'>) {
  switch (status) {
    case 'active':
      return <Chip word="Active" tone="good" meaning="The store is open: links lead to it and orders earn." />;
    case 'past_due':
      return <Chip word="Past due" tone="bad" meaning="A bill could not be charged. Links pause until the payment method is mended." />;
    case 'archived':
      return (
        <Chip
          word="Archived"
          tone="calm"
          meaning="The store is put away. Its links give no clicks, and what was earned is still billed and paid."
        />
      );
  }
}

export function IntegrationChip({ integration }: Pick<Store, 'integration'>) {
  return integration === 'enabled' ? (
    <Chip word="Enabled" tone="good" meaning="Postbacks of your server are read." />
  ) : (
    <Chip word="Disabled" tone="wait" meaning="Postbacks are refused until you enable the integration again." />
  );
}

export function TrackingChip({ isOn }: { readonly isOn: boolean }) {
  return isOn ? (
    <Chip word="On" tone="good" meaning="A test order went all the way: clicks and orders find each other." />
  ) : (
    <Chip word="Off" tone="wait" meaning="No test order has arrived yet. One that goes all the way switches tracking on." />
  );
}

export function ProgramChip({ status }: Pick<Program, 'status'>) {
  switch (status) {
    case 'draft':
      return <Chip word="Draft" tone="calm" meaning="Not open yet. Publishing needs tracking to be on and terms that say what is paid." />;
    case 'published':
      return <Chip word="Published" tone="good" meaning="Open: its links give clicks, and orders earn by its terms." />;
    case 'paused':
      return <Chip word="Paused" tone="wait" meaning="Its links give no new clicks. Orders of earlier clicks still earn." />;
  }
}

export function MemberChip({ status, left_at: leftAt }: Pick<Member, 'status' | 'left_at'>) {
  if (leftAt !== null)
    return <Chip word="Left" tone="calm" meaning="The creator left; clicks made before still count. They can apply again." />;
  switch (status) {
    case 'applied':
      return <Chip word="Applied" tone="wait" meaning="Asks to take part. Approve or refuse them." />;
    case 'approved':
      return <Chip word="Approved" tone="good" meaning="Takes part: visits through their links can earn." />;
    case 'paused':
      return <Chip word="Paused" tone="wait" meaning="New visits earn nothing; clicks made before still count." />;
    case 'removed':
      return <Chip word="Removed" tone="calm" meaning="No longer takes part; clicks made before still count." />;
  }
}
