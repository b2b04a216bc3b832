import { findProgram } from '../merchants/programs-sql.ts';
import { findStore } from '../merchants/stores-sql.ts';
import type { Queryable } from '../platform/database/database.ts';
import { notFound, refuse, type Refusal } from '../platform/http/answers.ts';
import { newId, type Id } from '../platform/ids.ts';
import { must } from '../platform/must.ts';
import { lockCreator } from './creators-sql.ts';
import { decideApplication } from './decide-application.ts';
import { countApplications, insertMember, lockMembership, setMemberStatus, type Member, type ProgramOfStore } from './members-sql.ts';
import { openToCreators } from './open-programs.ts';

type Application = ProgramOfStore & { readonly creatorId: Id<'crt'>; readonly at: Date };

/** Under the creator's lock, so that nobody has more open applications than the limit by sending many at once. */
export async function apply(db: Queryable, { creatorId, at, ...of }: Application): Promise<Member | Refusal> {
  const [program, store] = [await findProgram(db, of), await findStore(db, of.storeId)];
  must(program !== null && store !== null, 'the directory names what there is');
  const creator = await lockCreator(db, creatorId);
  const former = await lockMembership(db, { ...of, creatorId });
  const decision = decideApplication({
    wasPublished: program.firstPublishedAt !== null,
    isOpen: openToCreators({ status: program.status, store }),
    isSuspended: creator.suspendedAt !== null,
    member: former?.status ?? null,
    leftAt: former?.leftAt ?? null,
    now: at,
    openApplications: await countApplications(db, creatorId),
  });
  if (decision.do === 'hide') return notFound;
  if (decision.do === 'refuse') return refuse(decision.reason, decision.message);
  // Their links and what came through them belong to the membership that was.
  if (former !== null) return setMemberStatus(db, { ...former, status: 'applied', since: at, leftAt: null });
  const member = { memberId: newId<'mem'>(at), creatorId, status: 'applied', since: at, createdAt: at, ...of } as const;
  return (await insertMember(db, member)) ?? refuse('conflict', 'You have applied to this program already.');
}
