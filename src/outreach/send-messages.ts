import { publicId } from '../core/ids.ts';
import { invariant } from '../core/invariant.ts';
import { realNow, secondMs } from '../core/time.ts';
import { findCreator } from '../creators/creators-sql.ts';
import type { Queryable } from '../db/database.ts';
import { findStore } from '../merchants/stores-sql.ts';
import { emailMessage } from '../messages/format-message.ts';
import type { EmailContent } from '../notify/render-email.ts';
import { enqueueEmail } from '../people/enqueue-email.ts';
import { enqueue } from '../queue/enqueue-sql.ts';
import { tenantFailures } from '../queue/tenant-failures.ts';
import type { Platform } from '../runtime/platform.ts';
import {
  listUnsentMessages,
  listWaitingRecipients,
  lockUnsentMessage,
  markMessageSent,
  settleRecipients,
  type MessageKey,
} from './messages-sql.ts';
import { unsubscribeUrl } from './unsubscribe.ts';
import { listUnsubscribed } from './unsubscribes-sql.ts';

export const sendMessagesTask = 'send_creator_messages';

const messagesPerRunMax = 100;
/** One transaction. */
const recipientsPerBatchMax = 100;
/** Other tasks of the queue wait for this one. */
const runMsMax = 20 * secondMs;

export const enqueueMessages = (db: Queryable): Promise<void> => enqueue(db, sendMessagesTask, {}, { key: sendMessagesTask });

/** A task: enqueues the emails of messages, one batch of each in turn. A recipient and the email are committed together. */
export async function sendMessages(platform: Platform): Promise<void> {
  const until = realNow().getTime() + runMsMax;
  const failures = tenantFailures(platform.log, 'A message to creators could not be sent');
  let open: readonly MessageKey[] = await listUnsentMessages(platform.database, messagesPerRunMax);
  while (open.length > 0) {
    if (realNow().getTime() > until) return enqueueMessages(platform.database);
    const unfinished: MessageKey[] = [];
    for (const key of open)
      await failures.run(publicId('store', key.storeId), async () => {
        if (await sendBatch(platform, key)) unfinished.push(key);
      });
    open = unfinished;
  }
  failures.raise();
}

/** Returns whether more recipients may wait. */
async function sendBatch(platform: Platform, key: MessageKey): Promise<boolean> {
  return platform.database.transaction(async (tx) => {
    const message = await lockUnsentMessage(tx, key);
    const store = message && (await findStore(tx, key.storeId));
    if (message === null || store === null) return false;
    const creatorIds = (await listWaitingRecipients(tx, key, recipientsPerBatchMax)).map(({ creatorId }) => creatorId);
    const unsubscribed = await listUnsubscribed(tx, key.storeId, creatorIds);
    const wanted = creatorIds.filter((creatorId) => !unsubscribed.has(creatorId));
    for (const creatorId of wanted) {
      const creator = await findCreator(tx, creatorId);
      invariant(creator !== null, 'creators are never deleted');
      const url = unsubscribeUrl(platform, { storeId: key.storeId, creatorId });
      const content = messageEmail({ store: store.name, subject: message.subject, message: message.body, url });
      await enqueueEmail(tx, platform.secrets, {
        to: creator.email,
        content,
        storeId: key.storeId,
        unsubscribeUrl: url,
        inboxPath: '/creator/messages',
      });
    }
    await settleRecipients(tx, { ...key, creatorIds: wanted, state: 'sent' });
    await settleRecipients(tx, { ...key, creatorIds: [...unsubscribed], state: 'unsubscribed' });
    if (creatorIds.length === recipientsPerBatchMax) return true;
    await markMessageSent(tx, { ...key, at: realNow() });
    return false;
  });
}

type Facts = { readonly store: string; readonly subject: string; readonly message: string; readonly url: string };

const messageEmail = ({ store, subject, message, url }: Facts): EmailContent => ({
  subject: emailMessage('creator_message.subject', { store, subject }),
  paragraphs: [],
  message,
  button: null,
  footnotes: [emailMessage('creator_message.why', { store }), emailMessage('creator_message.unsubscribe', { store, url })],
});
