import { randomBytes } from 'node:crypto';
import { sql } from '../../src/platform/database/sql.ts';
import { must } from '../../src/platform/must.ts';
import { createSecrets } from '../../src/platform/secrets.ts';
import { openProviders } from '../../src/providers/providers.ts';
import { endInSandbox } from '../../src/providers/sandbox.ts';
import { sandboxSignatureHeader, signSandboxNews } from '../../src/providers/sandbox-news.ts';
import { barePlatform } from '../support/bare-platform.ts';
import type { BookLine, End, Kind, Subject } from './subject.ts';

function wordFor(end: End, kind: Kind): string {
  if (end === 'pending') return 'never';
  if (end === 'money_back') return kind === 'charge' ? 'disputed' : 'returned';
  return end;
}

export async function openSandboxSubject(): Promise<Subject> {
  const { platform, pass, close } = await barePlatform();
  const { database } = platform;
  const { chargeProvider, payoutProvider, readNews } = openProviders(platform);
  const [charges, payouts, read] = [chargeProvider('sandbox'), payoutProvider('sandbox'), readNews.sandbox];
  must(charges !== null && payouts !== null && read !== null, 'the sandbox has its provider');
  let made = 0;
  return {
    charges,
    payouts,
    instrument: (end, kind) => `${wordFor(end, kind)}#${++made}`,
    moved: () =>
      database.all<BookLine>(sql`
        select kind, reference, amount_cents as amount, instrument as "to" from sandbox_movements where status = 'succeeded'`),
    pass,
    end: async (reference, end) => must(await endInSandbox(platform, reference, end), 'it was pending'),
    read,
    async news({ kind, reference, tells, signedAt = new Date(), by }) {
      const bodies = await database.all<{ body: string }>(sql`select body from sandbox_events where body like ${`%"${reference}"%`}`);
      const about = tells === undefined ? kind : kind === 'charge' ? 'dispute_lost' : 'payout_returned';
      const found = bodies.find(({ body }) => body.includes(`"about":"${about}"`));
      must(found !== undefined, 'the sandbox has planned what it tells');
      const secrets = by === 'a stranger' ? createSecrets(randomBytes(32)) : platform.secrets;
      const headers = { [sandboxSignatureHeader]: signSandboxNews(secrets, found.body, signedAt) };
      return { body: Buffer.from(found.body), headers };
    },
    close,
  };
}
