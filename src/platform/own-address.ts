import type { Config } from './config.ts';

/**
 * Where this process is reached from itself, for what it sends over HTTP to its own door. BASE_URL may lie behind a proxy
 * that is not there yet, or not reachable from here; and with port 0 only listening tells the port.
 */
export type OwnAddress = { url: string };

export const ownAddressOf = ({ host, port }: Pick<Config, 'host' | 'port'>): OwnAddress => ({ url: `http://${reachable(host)}:${port}` });

/** What listens everywhere is reached on the loopback; an IPv6 address stands in brackets. */
function reachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}
