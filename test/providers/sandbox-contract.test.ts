import { randomBytes } from 'node:crypto';
import { must } from '../../src/platform/must.ts';
import { createSecrets } from '../../src/platform/secrets.ts';
import { sql } from '../../src/platform/database/sql.ts';
import { openProviders } from '../../src/providers/providers.ts';
import { endInSandbox } from '../../src/providers/sandbox.ts';
import { sandboxSignatureHeader, signSandboxNews } from '../../src/providers/sandbox-news.ts';
import { allMovements } from '../../src/providers/sandbox-sql.ts';
import { barePlatform } from '../support/bare-platform.ts';
import { holdsTheContract, type End, type Subject } from './contract.ts';

async function openSubject(): Promise<Subject> {
  const { platform, pass, close } = await barePlatform();
  const { chargeProvider, payoutProvider, readNews } = openProviders(platform);
  const [charges, payouts, read] = [chargeProvider('sandbox'), payoutProvider('sandbox'), readNews.sandbox];
  must(charges !== null && payouts !== null && read !== null, 'the sandbox has its provider');
  let made = 0;
  return {
    charges,
    payouts,
    instrument: (end: End) => `${end === 'pending' ? 'never' : end}#${++made}`,
    async moved() {
      const movements = await allMovements(platform.database);
      return movements
        .filter(({ status }) => status === 'succeeded')
        .map(({ kind, reference, amountCents }) => ({ kind, reference, amount: amountCents }));
    },
    pass,
    end: async (reference, end) => must(await endInSandbox(platform, reference, end), 'it was pending'),
    read,
    async news({ reference, signedAt = new Date(), by }) {
      const { body } = await platform.database.one<{ body: string }>(
        sql`select body from sandbox_events where body like ${`%"${reference}"%`}`,
      );
      const secrets = by === 'a stranger' ? createSecrets(randomBytes(32)) : platform.secrets;
      return { body: Buffer.from(body), headers: { [sandboxSignatureHeader]: signSandboxNews(secrets, body, signedAt) } };
    },
    close,
  };
}

holdsTheContract(openSubject, { pendingPayouts: true });
