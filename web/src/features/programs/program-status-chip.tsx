import type { Program } from '../../api/api-schema.ts';
import { StatusChip, type StatusTexts } from '../../ui/chip.tsx';

const programTexts: StatusTexts<Program['status']> = {
  draft: ['Draft', 'neutral', 'Not open yet. Publishing needs tracking to be on and terms that say what is paid.'],
  published: ['Published', 'good', 'Open: its links give clicks, and orders earn by its terms.'],
  paused: ['Paused', 'wait', 'Its links give no new clicks. Orders of earlier clicks still earn.'],
};

export function ProgramStatusChip({ status }: Pick<Program, 'status'>) {
  return <StatusChip texts={programTexts} state={status} />;
}
