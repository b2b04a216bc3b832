const parameter = 'rm_click';

/**
 * The destination with the click, or with none: its query and fragment stay as they are, byte for byte; an `rm_click` that
 * stood there is replaced. Done on the text, because reading and writing the query again would change other parameters' spelling.
 */
export function withClick(destination: string, clickId: string | null): string {
  const hash = destination.indexOf('#');
  const fragment = hash === -1 ? '' : destination.slice(hash);
  const address = hash === -1 ? destination : destination.slice(0, hash);
  const mark = address.indexOf('?');
  const path = mark === -1 ? address : address.slice(0, mark);
  const kept =
    mark === -1
      ? []
      : address
          .slice(mark + 1)
          .split('&')
          .filter((pair) => pair !== '' && nameOf(pair) !== parameter);
  const query = clickId === null ? kept : [...kept, `${parameter}=${clickId}`];
  return query.length === 0 ? `${path}${fragment}` : `${path}?${query.join('&')}${fragment}`;
}

/** The click that an address carries. */
export const clickIn = (address: string): string | null => new URL(address).searchParams.get(parameter);

function nameOf(pair: string): string {
  const name = (pair.split('=')[0] ?? '').replaceAll('+', ' ');
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
