const keyBytes = 16;

/**
 * A name for a request, by which sending it twice does it once. Not from `crypto.randomUUID`: that is missing where a service
 * is reached by plain http.
 */
export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(keyBytes));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
