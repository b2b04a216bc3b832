import { BlockList, isIP } from 'node:net';
import type { Config } from '../core/config.ts';
import { secondMs } from '../core/time.ts';

export type SmtpSettings = Pick<Config, 'smtpTls'> & { readonly smtpUrl: string };

export function smtpOptions({ smtpUrl, smtpTls }: SmtpSettings) {
  return {
    url: smtpUrl,
    // With smtp:// the connection switches to TLS (STARTTLS) before it sends the password and the first email, or it fails.
    requireTLS: requiresTls({ smtpUrl, smtpTls }),
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

const requiresTls = ({ smtpUrl, smtpTls }: SmtpSettings): boolean => {
  const { protocol, hostname } = new URL(smtpUrl);
  return protocol === 'smtp:' && smtpTls === 'required' && !isLoopback(hostname);
};

/** With SMTP_TLS=optional, emails are sent unencrypted to a server that offers no TLS. */
export const maySendUnencrypted = ({ smtpUrl, smtpTls }: SmtpSettings): boolean => {
  const { protocol, hostname } = new URL(smtpUrl);
  return protocol === 'smtp:' && smtpTls === 'optional' && !isLoopback(hostname);
};

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

function isLoopback(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '').toLowerCase();
  const ipVersion = isIP(host);
  return ipVersion === 0 ? host === 'localhost' : loopback.check(host, ipVersion === 4 ? 'ipv4' : 'ipv6');
}

/** Connects and signs in, and sends nothing. Returns null on success, otherwise the library's error message. */
export async function checkMailServer(settings: SmtpSettings): Promise<string | null> {
  const timeoutMs = 5 * secondMs;
  const { createTransport } = await import('nodemailer');
  const transport = createTransport({
    ...smtpOptions(settings),
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
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
