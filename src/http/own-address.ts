import type { Config } from '../core/config.ts';

/**
 * The URL at which this process reaches itself. BASE_URL may belong to a proxy that is not running yet or not reachable from here, and
 * with port 0 the port is known only after listening.
 */
export type OwnAddress = { url: string };

export const ownAddressOf = ({ host, port }: Pick<Config, 'host' | 'port'>): OwnAddress => ({ url: `http://${reachable(host)}:${port}` });

/** A server that listens on all interfaces is reached on the loopback address. IPv6 addresses need brackets in a URL. */
function reachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}
