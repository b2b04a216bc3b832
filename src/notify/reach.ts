import { secondMs } from '../platform/time.ts';

/** Connects and signs in, and sends nothing. Null where all is well, else what is wrong, in the library's words. */
export async function reachMailServer(smtpUrl: string): Promise<string | null> {
  const patience = 5 * secondMs;
  const { createTransport } = await import('nodemailer');
  const transport = createTransport({
    url: smtpUrl,
    connectionTimeout: patience,
    greetingTimeout: patience,
    socketTimeout: patience,
    disableFileAccess: true,
    disableUrlAccess: true,
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
