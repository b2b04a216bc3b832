import type { Speech } from '../contract/speech.ts';
import { goalOfKey } from '../merchants/goals.ts';
import { apiMessage } from '../messages/api-message.ts';
import type { Bonus } from './bonuses-sql.ts';

/** What a person wrote, or the goal that was reached, in the language of the reader. */
export function bonusReason({ reason, goalKey, goalMonth }: Pick<Bonus, 'reason' | 'goalKey' | 'goalMonth'>, speech: Speech): string {
  if (goalKey === null) return reason;
  return speech.say('bonus.goal_reason', { ...goalOfKey(goalKey), month: goalMonth ? speech.month(goalMonth) : '' });
}

/** The service took the bonus of a goal back. The reason is stored in English. */
export const isGoalLost = (rejectedReason: string | null): boolean => rejectedReason === apiMessage('bonus.goal_lost');
