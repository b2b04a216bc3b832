import type { Program } from '../../api/api-schema.ts';
import { Chip } from '../../ui/chip.tsx';

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
