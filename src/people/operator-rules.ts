import { keepMail } from '../notify/mail.ts';
import type { Letter } from '../notify/letter.ts';
import type { Queryable } from '../platform/database/database.ts';
import type { Id } from '../platform/ids.ts';
import type { Platform } from '../platform/platform.ts';
import { decideJoining, establishedFrom } from './decide-agreement.ts';
import type { Identity } from './identity.ts';
import {
  keepJoined,
  keepOperatorLeft,
  makeOperator,
  operatorPerson,
  operatorsMax,
  readOperatorRules,
  whoInvited,
  type OperatorPerson,
} from './operators-sql.ts';
import { lockOperators, operators } from './users-sql.ts';

/** Always in live mode. A sandbox goes without, so that one person can walk through everything, unless its operator tries them. */
export const areOperatorRulesOn = async (db: Queryable, { config }: Pick<Platform, 'config'>): Promise<boolean> =>
  config.mode === 'live' || (await readOperatorRules(db)).inSandbox;

/** The person who asks by a session. A key is nobody where people agree. */
export const personAsking = (db: Queryable, { by }: Identity): Promise<OperatorPerson | null> =>
  by.is === 'session' ? operatorPerson(db, by.userId) : Promise.resolve(null);

type Joining = { readonly invitationId: Id<'invite'>; readonly userId: Id<'user'> };

/** Somebody accepts an invitation to the operators: they are one, or wait until another operator approves. */
export async function joinOperators(db: Queryable, platform: Platform, { invitationId, userId }: Joining): Promise<void> {
  await lockOperators(db);
  const { invitedBy, approvedAt } = await whoInvited(db, invitationId);
  const others = (await operators(db, { most: operatorsMax })).filter((one) => one.userId !== invitedBy && one.userId !== userId);
  const areRulesOn = await areOperatorRulesOn(db, platform);
  const isApproved = approvedAt !== null;
  const { name, email } = (await operatorPerson(db, userId)) ?? { name: '', email: '' };
  if (decideJoining({ areRulesOn, isAnotherThere: others.length > 0, isApproved }) === 'awaiting_approval') {
    await keepJoined(db, { invitationId, userId });
    await mailOperators(db, platform, awaitsApprovalLetter({ name, email, url: teamUrl(platform) }));
    return;
  }
  await beOperator(db, platform, { userId, invitedBy, isApproved });
  await mailOperators(db, platform, newOperatorLetter({ name, email, url: teamUrl(platform) }));
}

type Becoming = { readonly userId: Id<'user'>; readonly invitedBy: Id<'user'> | null; readonly isApproved: boolean };

export async function beOperator(db: Queryable, platform: Platform, { userId, invitedBy, isApproved }: Becoming): Promise<void> {
  const now = platform.clock.now();
  const { lastLeftAt } = await readOperatorRules(db);
  const establishedAt = establishedFrom({ areRulesOn: await areOperatorRulesOn(db, platform), now, isApproved, lastLeftAt });
  await makeOperator(db, { userId, since: now, establishedAt, invitedBy });
}

/** Somebody is no operator any more: for a while nobody may put a person of their own into their place. */
export const operatorLeft = (db: Queryable, { clock }: Pick<Platform, 'clock'>): Promise<void> => keepOperatorLeft(db, clock.now());

/** To all operators, and to who is named besides: nobody changes who operates unseen. */
export async function mailOperators(
  db: Queryable,
  { secrets }: Pick<Platform, 'secrets'>,
  letter: Letter,
  besides: readonly string[] = [],
): Promise<void> {
  const addresses = new Set([...(await operators(db, { most: operatorsMax })).map(({ email }) => email), ...besides]);
  for (const to of addresses) await keepMail(db, secrets, { to, letter, storeId: null });
}

export const teamUrl = ({ config }: Pick<Platform, 'config'>): string => `${config.baseUrl}/operator/operators`;

type About = { readonly name: string; readonly email: string; readonly url: string };
const ifSurprised = ['If this surprises you, remove them now and talk to your colleagues: who has two operators can pay themselves.'];

export const invitedLetter = ({ email, by, url }: { readonly email: string; readonly by: string; readonly url: string }): Letter => ({
  subject: `${by} invited ${email} to the operators`,
  sentences: [
    `${by} invited ${email} to operate this installation.`,
    'An operator who did not invite them has to approve it, where there is one.',
  ],
  button: { label: 'Open the operators', url },
  afterwards: ifSurprised,
});

const awaitsApprovalLetter = ({ name, email, url }: About): Letter => ({
  subject: `${email} waits for approval as an operator`,
  sentences: [`${name} (${email}) accepted the invitation. They become an operator once somebody approves who did not invite them.`],
  button: { label: 'Approve or decline', url },
  afterwards: [],
});

export const newOperatorLetter = ({ name, email, url }: About): Letter => ({
  subject: `${email} is an operator now`,
  sentences: [`${name} (${email}) operates this installation from now on.`],
  button: { label: 'Open the operators', url },
  afterwards: ifSurprised,
});

export const removedOperatorLetter = ({ name, email, by, url }: About & { readonly by: string }): Letter => ({
  subject: `${email} is no operator any more`,
  sentences: [`${by} removed ${name} (${email}) from the operators of this installation.`],
  button: { label: 'Open the operators', url },
  afterwards: ['If this surprises you, talk to your colleagues now.'],
});

/** Without a name: the person was erased. */
export const erasedOperatorLetter = ({ url }: Pick<About, 'url'>): Letter => ({
  subject: 'The account of an operator was erased',
  sentences: ['The account of an operator of this installation was erased. The audit log has the request.'],
  button: { label: 'Open the operators', url },
  afterwards: ['If this surprises you, talk to your colleagues now.'],
});
