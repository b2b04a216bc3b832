const keyBytes = 16;

/** A name for a request, by which sending it twice does it once. Not `crypto.randomUUID`: that is missing where a service is reached by plain http. */
export const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(keyBytes)), (byte) => byte.toString(16).padStart(2, '0')).join('');
