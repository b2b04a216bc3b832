import { useNow } from '../../session/use-now.ts';
import type { DiscountCode } from '../../../../sdk/src/api-schema.ts';
import { StatusChip, type StatusTexts } from '../../ui/chip.tsx';
import { codeStateOf, type CodeState } from './codes-api.ts';
import { t } from './messages.ts';

const stateTexts: StatusTexts<CodeState> = {
  active: [t.code_state.active, 'good', t.code_state.active_means],
  paused: [t.code_state.paused, 'wait', t.code_state.paused_means],
  ended: [t.code_state.ended, 'neutral', t.code_state.ended_means],
  scheduled: [t.code_state.scheduled, 'wait', t.code_state.scheduled_means],
  expired: [t.code_state.expired, 'neutral', t.code_state.expired_means],
  shared: [t.code_state.shared, 'neutral', t.code_state.shared_means],
};

export const CodeStateChip = ({ code }: { readonly code: DiscountCode }) => (
  <StatusChip texts={stateTexts} state={codeStateOf(code, useNow())} />
);
