/**
 * The hosts of a DATABASE_URL. PostgreSQL's own tools know lists (`postgres://u:p@one:5432,two:5432/db`); the driver does not,
 * so they are taken apart here. All hosts share the user, the name and the settings.
 */
export type Host = { readonly name: string; readonly port: number };
export type Hosts = {
  /** The address with its first host alone, which the driver understands. */
  readonly first: string;
  readonly all: readonly Host[];
};

const portUsual = 5432;
/** What a service that writes may ask for. Both mean the same here: never a standby. */
const attributesKnown = ['read-write', 'primary'] as const;
const attribute = 'target_session_attrs';

/** Null where it is no address of a PostgreSQL. */
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
  const asked = first.searchParams.getAll(attribute);
  if (asked.some((value) => !attributesKnown.some((known) => known === value))) return null;
  const all = read.flatMap((each) => (each === null ? [] : [hostOf(each)]));
  if (asked.length > 0) first.searchParams.delete(attribute);
  return { first: first.href, all };
}

const hostOf = ({ hostname, port }: URL): Host => ({
  name: decodeURIComponent(hostname).replace(/^\[(.+)\]$/, '$1'),
  port: port === '' ? portUsual : Number(port),
});
