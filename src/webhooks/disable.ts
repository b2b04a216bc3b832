import { findStore } from '../merchants/stores-sql.ts';
import type { Letter } from '../notify/letter.ts';
import { stopListening } from '../notify/events-sql.ts';
import { keepMail } from '../notify/mail.ts';
import { roleHolds } from '../people/permissions.ts';
import { teamOf } from '../people/team-sql.ts';
import type { Queryable, Transaction } from '../platform/database/database.ts';
import { publicId, type Id } from '../platform/ids.ts';
import { must } from '../platform/must.ts';
import type { Platform } from '../platform/platform.ts';
import { realNow } from '../platform/time.ts';
import { failingDaysMax } from './decide-attempt.ts';
import { endWaiting } from './deliveries-sql.ts';
import type { DisabledWhy, WebhookEndpoint } from './endpoint.ts';
import { changeEndpoint, endpointsAtWork } from './endpoints-sql.ts';

type About = Pick<Platform, 'config' | 'secrets' | 'clock'>;

/** By the service itself: the people who look after the integration are told, in the same transaction. Who calls this holds its row. */
export async function disableEndpoint(tx: Transaction, about: About, endpoint: WebhookEndpoint, why: Exclude<DisabledWhy, 'by_hand'>) {
  const { storeId } = endpoint;
  await changeEndpoint(tx, endpoint, { ...endpoint, disabledAt: about.clock.now(), disabledWhy: why });
  await endWaiting(tx, endpoint, realNow());
  await stopListeningIfAlone(tx, storeId);
  const store = await findStore(tx, storeId);
  must(store, 'stores are never deleted');
  const url = `${about.config.baseUrl}/stores/${publicId('store', storeId)}/integration`;
  const letter = disabledLetter({ storeName: store.name, endpointUrl: endpoint.url, why, url });
  const people = (await teamOf(tx, storeId)).filter(({ role }) => roleHolds(role, 'integration:write'));
  for (const { email } of people) await keepMail(tx, about.secrets, { to: email, letter, storeId });
}

/** Where no endpoint is left at work, nothing is written down for anybody any more. */
export async function stopListeningIfAlone(db: Queryable, storeId: Id<'store'>): Promise<void> {
  if ((await endpointsAtWork(db, storeId)).length === 0) await stopListening(db, storeId);
}

type Disabled = { readonly storeName: string; readonly endpointUrl: string; readonly why: 'failing' | 'gone'; readonly url: string };

function disabledLetter({ storeName, endpointUrl, why, url }: Disabled): Letter {
  const reason =
    why === 'gone'
      ? 'It answered 410, which means that it wants no more events.'
      : `It took nothing for ${failingDaysMax} days, however often we tried.`;
  return {
    subject: `${storeName}: a webhook endpoint was switched off`,
    sentences: [`We send no more events to ${endpointUrl}. ${reason}`],
    button: { label: 'Look at the integration', url },
    afterwards: [
      'Once it answers again, switch it on. What happened meanwhile is not sent by itself.',
      'What failed before can be sent again, one by one.',
    ],
  };
}
