import type { Id } from '../core/ids.ts';
import type { Role } from './permissions.ts';

export type TeamChange = {
  readonly team: ReadonlyArray<{ readonly userId: Id<'user'>; readonly role: Role }>;
  readonly userId: Id<'user'>;
  /** The new role; null removes the person from the team. */
  readonly role: Role | null;
};

/** Keeps at least one owner in a store, because only an owner can add another one. */
export function decideTeamChange({ team, userId, role }: TeamChange): 'allowed' | 'not_found' | 'last_owner' {
  const member = team.find((one) => one.userId === userId);
  if (member === undefined) return 'not_found';
  if (member.role !== 'owner' || role === 'owner') return 'allowed';
  return team.some((one) => one.role === 'owner' && one.userId !== userId) ? 'allowed' : 'last_owner';
}
