import { Chip } from '../../ui/chip.tsx';
import type { Payout } from './creator-payouts-api.ts';

export function PayoutStatusChip({ state }: Pick<Payout, 'state'>) {
  switch (state) {
    case 'awaiting_second':
      return <Chip label="Being confirmed" tone="wait" meaning="Somebody who runs this service confirms it before it is sent." />;
    case 'sending':
      return <Chip label="Being sent" tone="wait" meaning="It is on its way to your payout method." />;
    case 'unknown':
      return (
        <Chip label="Being looked into" tone="wait" meaning="The provider has not answered. It is asked again; you are not paid twice." />
      );
    case 'paid':
      return <Chip label="Paid" tone="good" meaning="It was sent to your payout method. Banks may take some days to show it." />;
    case 'failed':
      return (
        <Chip label="Failed" tone="bad" meaning="It could not be sent. The money is yours as before, and goes out with the next payout." />
      );
    case 'returned':
      return (
        <Chip label="Came back" tone="bad" meaning="Your bank sent it back. The money is yours as before; put your payout method right." />
      );
  }
}
