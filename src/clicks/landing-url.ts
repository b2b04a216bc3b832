const parameter = 'rm_click';

/**
 * The destination with the click ID, or without one. An existing `rm_click` is replaced; the rest of the query and the fragment stay byte
 * for byte the same. It edits the text, because parsing and serializing the query would change the spelling of other parameters.
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

/** The click ID in a URL. */
export const clickIdInUrl = (address: string): string | null => new URL(address).searchParams.get(parameter);

function nameOf(pair: string): string {
  const name = (pair.split('=')[0] ?? '').replaceAll('+', ' ');
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
