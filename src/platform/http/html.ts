/** Text that is safe in a page, because it came through the template below. */
export type Html = { readonly html: string };

type Value = string | number | Html | readonly Html[];

/** Values are text and are escaped; only what is `Html` already goes in as it is. The indentation of the source stays there. */
export function html(strings: TemplateStringsArray, ...values: readonly Value[]): Html {
  return { html: strings.map((text, place) => text.replace(/\n\s+/g, '\n') + written(values[place] ?? '')).join('') };
}

export const trusted = (text: string): Html => ({ html: text });

function written(value: Value): string {
  if (typeof value === 'string' || typeof value === 'number') return escaped(String(value));
  return 'html' in value ? value.html : value.map((part) => part.html).join('');
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
export const escaped = (text: string): string => text.replace(/[&<>"']/g, (letter) => entities[letter] ?? letter);
