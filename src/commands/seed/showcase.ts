import { newId, publicId } from '../../core/ids.ts';
import { sha256 } from '../../core/sha256.ts';
import { hourMs, minuteMs, plusDays, startOfDay } from '../../core/time.ts';
import { findMembership, setLeaderboardName } from '../../creators/members-sql.ts';
import { invariant } from '../../core/invariant.ts';
import { upsertLogo, upsertProgramPage } from '../../merchants/program-page-sql.ts';
import { insertAsset, insertChunks } from '../../merchants/program-assets-sql.ts';
import { setHasLeaderboard } from '../../merchants/programs-sql.ts';
import { insertRole } from '../../people/team-sql.ts';
import { insertUser } from '../../people/users-sql.ts';
import { insertMessage, insertRecipients, markMessageSent, settleRecipients } from '../../outreach/messages-sql.ts';
import { drawBrandGuide, drawGiftBox, drawLogo } from './showcase-files.ts';
import { announcement, onLeaderboard, programPage, team, textAssets } from './story.ts';
import type { Year } from './year.ts';

type Span = { readonly days: number; readonly begin: Date };

/** Parts of the history after which the merchant does something for the creators. */
const teamJoinedAfter = 0.015;
const pagePublishedAfter = 0.03;
const assetsAddedAfter = 0.1;
const leaderboardAfter = 0.72;
const announcedBeforeEnd = 6;

/** The merchant invites a team, describes the program on its public page, adds assets, writes to the creators, and opens a leaderboard. */
export function planShowcase(year: Year, { days, begin }: Span): void {
  const noon = (day: number) => new Date(startOfDay(plusDays(begin, Math.max(1, Math.floor(day)))).getTime() + 15 * hourMs);
  const plan = (day: number, run: (year: Year, at: Date) => Promise<void>) => {
    const at = noon(day);
    year.agenda.push({ at, run: () => run(year, at) });
  };
  plan(days * teamJoinedAfter, joinTeam);
  plan(days * pagePublishedAfter, describeProgram);
  plan(days * assetsAddedAfter, addAssets);
  plan(days * leaderboardAfter, openLeaderboard);
  plan(days - announcedBeforeEnd, announce);
}

const pathOf = ({ programId }: Year): string => `/programs/${publicId('prog', programId)}`;

async function describeProgram(year: Year, at: Date): Promise<void> {
  const { database, storeId, programId } = year;
  await upsertProgramPage(database, { storeId, programId }, programPage);
  await year.audit(at, 'program.page', `${pathOf(year)}/page`, {});
  const bytes = await drawLogo();
  await upsertLogo(database, { storeId, programId }, { type: 'image/png', bytes, hash: sha256(bytes).toString('hex').slice(0, 16) });
  await year.audit(at, 'program.logo', `${pathOf(year)}/page/logo`, {});
}

async function addAssets(year: Year, at: Date): Promise<void> {
  const { database, storeId, programId } = year;
  // One after the other, so that their order is the same in each run.
  let added = 0;
  const asset = () => {
    const createdAt = new Date(at.getTime() + minuteMs * added++);
    return { storeId, programId, assetId: newId<'asset'>(createdAt), createdAt };
  };
  for (const { name, text } of textAssets) {
    await insertAsset(database, { ...asset(), name, contentType: null, text, sizeBytes: Buffer.byteLength(text) });
    await year.audit(at, 'program_asset.add_text', `${pathOf(year)}/assets`, { name });
  }
  const files = [
    { name: 'brand-guide.pdf', contentType: 'application/pdf', bytes: await drawBrandGuide() },
    { name: 'gift-box.png', contentType: 'image/png', bytes: await drawGiftBox() },
  ] as const;
  for (const { name, contentType, bytes } of files) {
    const file = await insertAsset(database, { ...asset(), name, contentType, text: null, sizeBytes: bytes.length });
    await insertChunks(database, file, bytes);
    await year.audit(at, 'program_asset.upload', `${pathOf(year)}/asset-files`, { name });
  }
}

/** Without passwords, so that these accounts cannot be used to sign in. */
async function joinTeam(year: Year, at: Date): Promise<void> {
  const { database, storeId, store, emails } = year;
  for (const { name, mailbox, role } of team) {
    const userId = newId<'user'>(at);
    const email = `${mailbox}-${store.id.slice(-6)}@tributary.example`;
    emails.push(email);
    await database.transaction(async (tx) => {
      await insertUser(tx, { userId, email, name, passwordHash: null, isOperator: false, now: at });
      await insertRole(tx, { userId, storeId, role, now: at });
    });
    await year.audit(at, 'team.invited', '/invitations', { email, role });
  }
}

async function openLeaderboard(year: Year, at: Date): Promise<void> {
  const { database, storeId, programId, links } = year;
  await setHasLeaderboard(database, { storeId, programId }, true);
  await year.audit(at, 'program.leaderboard', `${pathOf(year)}/leaderboard`, { is_on: true });
  for (const name of onLeaderboard) {
    const link = links.find(({ creator }) => creator.name === name);
    invariant(link, 'the creators on the leaderboard have joined');
    const member = await findMembership(database, { storeId, programId, creatorId: link.creatorId });
    if (member !== null) await setLeaderboardName(database, member, name);
  }
}

async function announce(year: Year, at: Date): Promise<void> {
  const { database, storeId, programId, merchant, creatorIds } = year;
  const message = await insertMessage(database, {
    storeId,
    messageId: newId<'msg'>(at),
    ...announcement,
    programId,
    madeAt: at,
    madeBy: merchant.actor,
    madeByName: merchant.name,
  });
  await insertRecipients(database, message, { programId, creatorIds: null });
  await settleRecipients(database, { ...message, creatorIds, state: 'sent' });
  await markMessageSent(database, { ...message, at });
  await year.audit(at, 'creator_message.send', '/creator-messages', { subject: announcement.subject });
}
