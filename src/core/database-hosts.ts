/**
 * The hosts of a DATABASE_URL. PostgreSQL's own tools accept lists (`postgres://u:p@one:5432,two:5432/db`); the driver does not, so
 * this module splits them. All hosts share the user, the name and the options.
 */
export type Host = { readonly name: string; readonly port: number };
export type Hosts = {
  /** The URL with only its first host, which the driver understands. */
  readonly first: string;
  readonly all: readonly Host[];
};

const defaultPort = 5432;
/** The accepted values of target_session_attrs. Both mean the same here: never a standby. */
const acceptedValues = ['read-write', 'primary'] as const;
const attribute = 'target_session_attrs';

/** Null if the URL is not a PostgreSQL URL. */
export function readHosts(url: string): Hosts | null {
  const [, scheme = '', authority = '', rest = ''] = /^(postgres(?:ql)?:\/\/)([^/?#]*)(.*)$/s.exec(url) ?? [];
  const hostsAt = authority.lastIndexOf('@') + 1;
  const alone = authority
    .slice(hostsAt)
    .split(',')
    .map((host) => `${scheme}${authority.slice(0, hostsAt)}${host}${rest}`);
  const read = alone.map((each) => (URL.canParse(each) ? new URL(each) : null));
  const [first] = read;
  if (!first || read.includes(null)) return null;
  if (read.length > 1 && read.some((each) => each?.hostname === '')) return null;
  const requested = first.searchParams.getAll(attribute);
  if (requested.some((value) => !acceptedValues.some((known) => known === value))) return null;
  const all = read.flatMap((each) => (each === null ? [] : [hostOf(each)]));
  if (requested.length > 0) first.searchParams.delete(attribute);
  return { first: first.href, all };
}

/** The URL of another server with the same user, database, and options. */
export function nodeUrl(url: string, { name, port }: Host): string {
  const hosts = readHosts(url);
  if (hosts === null) throw new Error('the nodes of a cluster are reached over the network, so DATABASE_URL names a host');
  const node = new URL(hosts.first);
  node.hostname = name.includes(':') ? `[${name}]` : name;
  node.port = String(port);
  return node.href;
}

const hostOf = ({ hostname, port }: URL): Host => ({
  name: decodeURIComponent(hostname).replace(/^\[(.+)\]$/, '$1'),
  port: port === '' ? defaultPort : Number(port),
});
