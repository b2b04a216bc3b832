import type { Program } from '../../api/api-schema.ts';
import { StatusChip, type StatusTexts } from '../../ui/chip.tsx';
import { t } from './messages.ts';

const programTexts: StatusTexts<Program['status']> = {
  draft: [t.program_status_chip.draft, 'neutral', t.program_status_chip.not_open_yet_publishing_needs],
  published: [t.program_status_chip.published, 'good', t.program_status_chip.open_its_links_give_clicks],
  paused: [t.program_status_chip.paused, 'wait', t.program_status_chip.its_links_give_no_new],
};

export function ProgramStatusChip({ status }: Pick<Program, 'status'>) {
  return <StatusChip texts={programTexts} state={status} />;
}
