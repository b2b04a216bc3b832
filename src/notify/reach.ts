import { secondMs } from '../platform/time.ts';
import { mailConnection, type MailSettings } from './mail-connection.ts';

/** Connects and signs in, and sends nothing. Null where all is well, else what is wrong, in the library's words. */
export async function reachMailServer(settings: MailSettings): Promise<string | null> {
  const patience = 5 * secondMs;
  const { createTransport } = await import('nodemailer');
  const transport = createTransport({
    ...mailConnection(settings),
    connectionTimeout: patience,
    greetingTimeout: patience,
    socketTimeout: patience,
  });
  try {
    await transport.verify();
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    transport.close();
  }
}
