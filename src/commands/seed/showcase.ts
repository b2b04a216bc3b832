import { newId, publicId } from '../../core/ids.ts';
import { hourMs, plusDays } from '../../core/time.ts';
import { findMembership, setLeaderboardName } from '../../creators/members-sql.ts';
import { invariant } from '../../core/invariant.ts';
import { upsertProgramPage } from '../../merchants/program-page-sql.ts';
import { insertAsset } from '../../merchants/program-assets-sql.ts';
import { setHasLeaderboard } from '../../merchants/programs-sql.ts';
import { insertMessage, insertRecipients, markMessageSent, settleRecipients } from '../../outreach/messages-sql.ts';
import { announcement, onLeaderboard, programPage, textAssets } from './story.ts';
import { startOfDay, type Year } from './year.ts';

type Span = { readonly days: number; readonly begin: Date };

/** Parts of the history after which the merchant does something for the creators. */
const pagePublishedAfter = 0.03;
const assetsAddedAfter = 0.1;
const leaderboardAfter = 0.72;
const announcedBeforeEnd = 6;

/** The merchant describes the program on its public page, adds texts to share, writes to the creators, and opens a leaderboard. */
export function planShowcase(year: Year, { days, begin }: Span): void {
  const noon = (day: number) => new Date(startOfDay(plusDays(begin, Math.max(1, Math.floor(day)))).getTime() + 15 * hourMs);
  const plan = (day: number, run: (year: Year, at: Date) => Promise<void>) => {
    const at = noon(day);
    year.agenda.push({ at, run: () => run(year, at) });
  };
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
}

async function addAssets(year: Year, at: Date): Promise<void> {
  const { database, storeId, programId } = year;
  for (const { name, text } of textAssets) {
    const sizeBytes = Buffer.byteLength(text);
    await insertAsset(database, {
      storeId,
      programId,
      assetId: newId<'asset'>(at),
      name,
      contentType: null,
      text,
      sizeBytes,
      createdAt: at,
    });
    await year.audit(at, 'program_asset.add_text', `${pathOf(year)}/assets`, { name });
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
