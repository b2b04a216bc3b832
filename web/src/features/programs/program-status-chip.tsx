import type { Program } from '../../../../sdk/src/api-schema.ts';
import { StatusChip, type StatusTexts } from '../../ui/chip.tsx';
import { t } from './messages.ts';

const programTexts: StatusTexts<Program['status']> = {
  draft: [t.program_status_chip.draft, 'neutral', t.program_status_chip.not_published_yet_publishing_requi],
  published: [t.program_status_chip.published, 'good', t.program_status_chip.active_clicks_on_its_links],
  paused: [t.program_status_chip.paused, 'wait', t.program_status_chip.new_clicks_do_not_count],
};

export function ProgramStatusChip({ status }: Pick<Program, 'status'>) {
  return <StatusChip texts={programTexts} state={status} />;
}
