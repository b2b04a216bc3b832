import { readPublicId, type Id } from '../core/ids.ts';
import { invariant } from '../core/invariant.ts';
import { noCents, type Cents } from '../core/money.ts';
import { realNow, secondMs } from '../core/time.ts';
import { findCreator } from '../creators/creators-sql.ts';
import { groupsOfMembers } from '../creators/group-moves-sql.ts';
import type { Transaction } from '../db/database.ts';
import { decideChangesFor, type ChangeForCreator } from '../merchants/decide-notice.ts';
import { enqueueNotices } from '../merchants/enqueue-notices.ts';
import { lockUnsentNotices, markNoticesSent, type VersionName } from '../merchants/notices-sql.ts';
import { findProgram } from '../merchants/programs-sql.ts';
import { findStore } from '../merchants/stores-sql.ts';
import { termsOfProgram } from '../merchants/terms-sql.ts';
import { termsInForce, type Rate, type Terms } from '../merchants/terms.ts';
import { emailMessage, type EmailMessage } from '../messages/format-message.ts';
import type { EmailContent } from '../notify/render-email.ts';
import { enqueueEmail } from '../people/enqueue-email.ts';
import type { Platform } from '../runtime/platform.ts';
import { listInformedMembers, type InformedMember } from './notices-sql.ts';

/** One transaction. */
const membersPerBatchMax = 100;
/** Other tasks of the queue wait for this one. */
const runMsMax = 20 * secondMs;

/** A task: informs the members of a program that an announced version will start, or that it was canceled. */
export async function sendNotices(platform: Platform, payload: unknown): Promise<void> {
  const name = versionIn(payload);
  const until = realNow().getTime() + runMsMax;
  while (await sendBatch(platform, name)) {
    if (realNow().getTime() > until) return enqueueNotices(platform.database, name, name.version);
  }
}

function versionIn(payload: unknown): VersionName {
  invariant(typeof payload === 'object' && payload !== null && 'store' in payload && 'program' in payload, 'the task names a program');
  invariant('version' in payload && typeof payload.version === 'number', 'the task names a version');
  const [storeId, programId] = [readPublicId('store', String(payload.store)), readPublicId('prog', String(payload.program))];
  invariant(storeId !== null && programId !== null, 'the task has valid IDs');
  return { storeId, programId, version: payload.version };
}

/** The emails are committed with the last informed member, so each member gets one. Returns whether more members may wait. */
async function sendBatch(platform: Platform, name: VersionName): Promise<boolean> {
  return platform.database.transaction(async (tx) => {
    const notices = await lockUnsentNotices(tx, name);
    if (notices === null) return false;
    const notice = await loadNotice(tx, platform, name);
    const members = await listInformedMembers(tx, { ...name, after: notices.noticesSentTo, limit: membersPerBatchMax });
    const groups = await groupsOfMembers(tx, members);
    for (const member of members) await inform(tx, platform, { ...notice, member, groupId: groups.get(member.memberId)?.groupId ?? null });
    const last = members.at(-1);
    const hasMore = members.length === membersPerBatchMax;
    await markNoticesSent(
      tx,
      { ...notices, noticesSentTo: last?.memberId ?? notices.noticesSentTo },
      hasMore ? null : platform.clock.now(),
    );
    return hasMore;
  });
}

type Notice = {
  readonly store: string;
  readonly program: string;
  readonly before: Terms;
  readonly after: Terms;
  readonly url: string;
};

async function loadNotice(tx: Transaction, { config }: Platform, name: VersionName): Promise<Notice> {
  const [program, store, versions] = [await findProgram(tx, name), await findStore(tx, name.storeId), await termsOfProgram(tx, name)];
  const after = versions.find(({ version }) => version === name.version);
  const before = after && termsInForce(versions.slice(0, versions.indexOf(after)), after.madeAt);
  invariant(program !== null && store !== null && after && before, 'an announced version replaces another one');
  return {
    store: store.name,
    program: program.name,
    before,
    after,
    url: `${config.baseUrl}/creator/programs`,
  };
}

type Informed = Notice & { readonly member: InformedMember; readonly groupId: Id<'grp'> | null };

/** Skips members whose terms do not change. */
async function inform(tx: Transaction, { secrets }: Platform, { member, groupId, ...notice }: Informed): Promise<void> {
  const changes = decideChangesFor(notice.before, notice.after, { memberId: member.memberId, groupId });
  if (changes.length === 0) return;
  const creator = await findCreator(tx, member.creatorId);
  invariant(creator !== null, 'creators are never deleted');
  const content = notice.after.canceledAt === undefined ? noticeEmail(notice, changes) : canceledEmail(notice);
  await enqueueEmail(tx, secrets, { to: creator.email, content, storeId: null });
}

const factsOf = ({ store, program, after }: Notice) => ({ store, program, date: after.effectiveFrom });

const noticeEmail = (notice: Notice, changes: readonly ChangeForCreator[]): EmailContent => ({
  subject: emailMessage('terms_notice.subject', factsOf(notice)),
  paragraphs: [
    emailMessage('terms_notice.body', factsOf(notice)),
    emailMessage('terms_notice.changes'),
    ...changeTexts(notice, changes),
    ...(notice.after.protectClickDays === undefined ? [] : [emailMessage('terms_notice.protect', { days: notice.after.protectClickDays })]),
    emailMessage('terms_notice.accept', { date: notice.after.effectiveFrom }),
  ],
  button: { label: emailMessage('terms_notice.button'), url: notice.url },
  footnotes: [],
});

const canceledEmail = (notice: Notice): EmailContent => ({
  subject: emailMessage('terms_notice.canceled_subject', factsOf(notice)),
  paragraphs: [emailMessage('terms_notice.canceled', factsOf(notice))],
  button: null,
  footnotes: [],
});

/** Terms may have hundreds of rules; the portal shows all of them. */
const changesMax = 30;

function changeTexts(notice: Notice, changes: readonly ChangeForCreator[]): readonly EmailMessage[] {
  const texts = changes.map((change) => changeText(notice, change));
  const unique = new Map(texts.map((text) => [[text.id, ...Object.values(text.args)].join(' '), text]));
  return [...unique.values()].slice(0, changesMax);
}

function changeText({ before, after }: Notice, change: ChangeForCreator): EmailMessage {
  const { field, productId, leadKind, rates } = change;
  switch (field) {
    case 'order_rule':
    case 'subscription_rule': {
      if (rates === undefined) return emailMessage('terms_notice.other', { what: field });
      const values = changedRate(rates);
      if (field === 'order_rule')
        return productId === null
          ? emailMessage('terms_notice.order_rate', values)
          : emailMessage('terms_notice.order_rate_of', { ...values, product: productId });
      return productId === null
        ? emailMessage('terms_notice.subscription_rate', values)
        : emailMessage('terms_notice.subscription_rate_of', { ...values, product: productId });
    }
    case 'lead_rule':
      return emailMessage('terms_notice.lead', {
        kind: leadKind ?? '',
        before_flat: leadAmount(before, leadKind),
        after_flat: leadAmount(after, leadKind),
      });
    case 'attribution_days':
      return emailMessage('terms_notice.window', { before: before.attributionDays, after: after.attributionDays });
    case 'hold_days':
      return emailMessage('terms_notice.hold', { before: before.holdDays, after: after.holdDays });
    case 'approval':
      return after.approval.by === 'time'
        ? emailMessage('terms_notice.approval_auto', { days: after.approval.afterDays })
        : emailMessage('terms_notice.approval_manual');
    default:
      return emailMessage('terms_notice.other', { what: isNamed(field) ? field : 'other' });
  }
}

type NamedField = 'pays' | 'tiers' | 'budget' | 'goals' | 'codes' | 'returning' | 'notice_days';
const namedFields: ReadonlySet<string> = new Set<NamedField>(['pays', 'tiers', 'budget', 'goals', 'codes', 'returning', 'notice_days']);
const isNamed = (field: string): field is NamedField => namedFields.has(field);

const leadAmount = ({ attribution }: Terms, leadKind: string | null): Cents =>
  attribution.leads.find(({ kind }) => kind === leadKind)?.amount ?? noCents;

const rateArguments = (rate: Rate | null) => ({
  kind: rate?.is ?? ('other' as const),
  share: rate?.is === 'share' ? rate.basisPoints : 0,
  flat: rate?.is === 'flat' ? rate.cents : noCents,
});

function changedRate({ before, after }: NonNullable<ChangeForCreator['rates']>) {
  const [one, other] = [rateArguments(before), rateArguments(after)];
  return {
    before_kind: one.kind,
    before_share: one.share,
    before_flat: one.flat,
    after_kind: other.kind,
    after_share: other.share,
    after_flat: other.flat,
  };
}
