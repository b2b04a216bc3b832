import type { Id } from '../platform/ids.ts';
import type { Role } from './permissions.ts';

export type TeamChange = {
  readonly team: ReadonlyArray<{ readonly userId: Id<'user'>; readonly role: Role }>;
  readonly userId: Id<'user'>;
  /** The new role; null takes the person out of the team. */
  readonly role: Role | null;
};

/** A store without an owner could be handed on by nobody. */
export function decideTeamChange({ team, userId, role }: TeamChange): 'allowed' | 'not_found' | 'last_owner' {
  const member = team.find((one) => one.userId === userId);
  if (member === undefined) return 'not_found';
  if (member.role !== 'owner' || role === 'owner') return 'allowed';
  return team.some((one) => one.role === 'owner' && one.userId !== userId) ? 'allowed' : 'last_owner';
}
