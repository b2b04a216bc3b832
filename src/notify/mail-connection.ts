import { BlockList, isIP } from 'node:net';
import type { Config } from '../platform/config.ts';

export type MailSettings = Pick<Config, 'smtpTls'> & { readonly smtpUrl: string };

/** What every connection to the mail server is opened with. */
export function mailConnection({ smtpUrl, smtpTls }: MailSettings) {
  return {
    url: smtpUrl,
    // With smtp:// the connection switches to TLS (STARTTLS) before the password and the first mail, or it fails.
    requireTLS: mustEncrypt({ smtpUrl, smtpTls }),
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

const mustEncrypt = ({ smtpUrl, smtpTls }: MailSettings): boolean => {
  const { protocol, hostname } = new URL(smtpUrl);
  return protocol === 'smtp:' && smtpTls === 'required' && !isThisMachine(hostname);
};

/** Mails leave unencrypted where the server offers no TLS. */
export const mayBeReadOnTheWay = ({ smtpUrl, smtpTls }: MailSettings): boolean => {
  const { protocol, hostname } = new URL(smtpUrl);
  return protocol === 'smtp:' && smtpTls === 'optional' && !isThisMachine(hostname);
};

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

function isThisMachine(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '').toLowerCase();
  const family = isIP(host);
  return family === 0 ? host === 'localhost' : loopback.check(host, family === 4 ? 'ipv4' : 'ipv6');
}
