/** HTML that is safe to insert, because the template below escaped its values. */
export type Html = { readonly html: string };

type Value = string | number | Html | readonly Html[];

/** Escapes every value that is not `Html`, and removes the indentation of the source. */
export function html(strings: TemplateStringsArray, ...values: readonly Value[]): Html {
  return { html: strings.map((text, place) => text.replace(/\n\s+/g, '\n') + render(values[place] ?? '')).join('') };
}

export const trusted = (text: string): Html => ({ html: text });

function render(value: Value): string {
  if (typeof value === 'string' || typeof value === 'number') return escapeHtml(String(value));
  return 'html' in value ? value.html : value.map((part) => part.html).join('');
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
