declare global {
  // Part of the language since ES2025's proposal and of Node 22; TypeScript's libraries do not know it yet.
  interface JSON {
    rawJSON: (text: string) => unknown;
  }
}

export type ReadJson = { readonly is: 'json'; readonly value: unknown } | { readonly is: 'none' };

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Bytes to JSON: valid UTF-8 without a byte-order mark, or nothing. */
export function readJson(bytes: unknown): ReadJson {
  if (!Buffer.isBuffer(bytes)) return { is: 'none' };
  try {
    return { is: 'json', value: JSON.parse(utf8.decode(bytes)) };
  } catch {
    return { is: 'none' };
  }
}

/** JSON with cents as whole numbers, exactly, however large; times are ISO 8601 with milliseconds already. */
export function jsonText(value: unknown): string {
  return JSON.stringify(value, (_name, held: unknown) => (typeof held === 'bigint' ? JSON.rawJSON(held.toString()) : held)) ?? 'null';
}
