import { expect, onTestFinished, test } from 'vitest';
import { openKeyRing } from '../../src/clicks/signing-keys.ts';
import { barePlatform, barePlatformOn } from '../support/bare-platform.ts';

test('the service does not start with another secret key, and says which key it needs', async () => {
  const own = await barePlatform();
  const other = await barePlatformOn(own.databaseUrl);
  onTestFinished(async () => {
    await own.close();
    await other.close();
  });
  (await openKeyRing(own.platform)).close();
  await expect(openKeyRing(other.platform)).rejects.toThrow(/SECRET_KEY.*secret-key.*put back the one/);
  (await openKeyRing(own.platform)).close();
});
