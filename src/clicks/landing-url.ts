const parameter = 'rm_click';

/** A destination without a click ID, and its text before and after a click ID. */
export type LandingUrl = { readonly withoutClick: string; readonly beforeClick: string; readonly afterClick: string };

/**
 * Finds the place of the click ID once for many visits. An existing `rm_click` is removed; the rest of the query and the fragment stay byte
 * for byte the same. It edits the text, because parsing and serializing the query would change the spelling of other parameters.
 */
export function landingUrl(destination: string): LandingUrl {
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
  return {
    withoutClick: kept.length === 0 ? `${path}${fragment}` : `${path}?${kept.join('&')}${fragment}`,
    beforeClick: `${path}?${kept.map((pair) => `${pair}&`).join('')}${parameter}=`,
    afterClick: fragment,
  };
}

export const addClick = ({ beforeClick, afterClick }: LandingUrl, clickId: string): string => `${beforeClick}${clickId}${afterClick}`;

/** The destination with the click ID, which replaces an existing one. */
export const withClick = (destination: string, clickId: string): string => addClick(landingUrl(destination), clickId);

/** The destination without a click ID. */
export const withoutClick = (destination: string): string => landingUrl(destination).withoutClick;

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
