import { findProgram } from '../merchants/programs-sql.ts';
import type { Queryable } from '../platform/database/database.ts';
import { notFound, refuse, type Refusal } from '../platform/http/answers.ts';
import { newId, type Id } from '../platform/ids.ts';
import { creatorExists } from './creators-sql.ts';
import { decideMember, type MemberStatus } from './decide-member.ts';
import { insertMember, lockMember, setMemberStatus, type Member, type ProgramOfStore } from './members-sql.ts';

type NewMember = ProgramOfStore & { readonly creatorId: Id<'crt'>; readonly at: Date };

/** The merchant takes a creator in: approved at once, for who else would approve? */
export async function addMember(db: Queryable, { storeId, programId, creatorId, at }: NewMember): Promise<Member | Refusal> {
  if ((await findProgram(db, { storeId, programId })) === null) return notFound;
  if (!(await creatorExists(db, creatorId))) return notFound;
  const member = await insertMember(db, {
    storeId,
    memberId: newId<'mem'>(at),
    programId,
    creatorId,
    status: 'approved',
    since: at,
    createdAt: at,
  });
  return member ?? refuse('conflict', 'This creator is or was a member of the program; change the status of that membership.');
}

type MemberChange = ProgramOfStore & { readonly memberId: Id<'mem'>; readonly status: Exclude<MemberStatus, 'applied'>; readonly at: Date };

type ChangedMember = { readonly member: Member; readonly former: MemberStatus };

export async function changeMember(db: Queryable, { status, at, ...of }: MemberChange): Promise<ChangedMember | Refusal> {
  const member = await lockMember(db, of);
  if (member === null) return notFound;
  const decision = decideMember({ status: member.status, hasLeft: member.leftAt !== null }, status);
  if (decision.do === 'refuse') return refuse('conflict', decision.message);
  if (decision.do === 'keep') return { member, former: member.status };
  const changed = await setMemberStatus(db, { ...of, status, since: at, leftAt: null });
  return { member: changed, former: member.status };
}
