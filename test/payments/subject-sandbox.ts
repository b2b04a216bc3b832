import { randomBytes } from 'node:crypto';
import { sql } from '../../src/db/sql.ts';
import { invariant } from '../../src/core/invariant.ts';
import { createSecrets } from '../../src/core/secrets.ts';
import { openProviders } from '../../src/payments/providers.ts';
import { endInSandbox } from '../../src/payments/sandbox.ts';
import { sandboxSignatureHeader, signSandboxEvent } from '../../src/payments/sandbox-webhooks.ts';
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
  const { chargeProvider, payoutProvider, readEvent } = openProviders(platform);
  const [charges, payouts, read] = [chargeProvider('sandbox'), payoutProvider('sandbox'), readEvent.sandbox];
  invariant(charges !== null && payouts !== null && read !== null, 'the sandbox has providers');
  let made = 0;
  return {
    charges,
    payouts,
    instrument: (end, kind) => `${wordFor(end, kind)}#${++made}`,
    moved: () =>
      database.all<BookLine>(sql`
        select kind, reference, amount_cents as amount, instrument as "to" from sandbox_movements where status = 'succeeded'`),
    pass,
    end: async (reference, end) => invariant(await endInSandbox(platform, reference, end), 'the movement was pending'),
    read,
    async webhook({ kind, reference, reports, signedAt = new Date(), by }) {
      const bodies = await database.all<{ body: string }>(sql`select body from sandbox_events where body like ${`%"${reference}"%`}`);
      const about = reports === undefined ? kind : kind === 'charge' ? 'dispute_lost' : 'payout_returned';
      const found = bodies.find(({ body }) => body.includes(`"about":"${about}"`));
      invariant(found !== undefined, 'the sandbox has scheduled the event');
      const secrets = by === 'a stranger' ? createSecrets(randomBytes(32)) : platform.secrets;
      const headers = { [sandboxSignatureHeader]: signSandboxEvent(secrets, found.body, signedAt) };
      return { body: Buffer.from(found.body), headers };
    },
    close,
  };
}
