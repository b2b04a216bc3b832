type CurlRequest = {
  readonly url: string;
  /** As shell source: single-quoted, or double-quoted with a variable. */
  readonly authorization: string;
  readonly body: string;
};

/** A curl command that sends exactly this body. */
export function curlCommand({ url, authorization, body }: CurlRequest): string {
  return [`curl ${url} \\`, `  -H ${authorization} -H 'Content-Type: application/json' \\`, `  --data-binary ${shellQuote(body)}`].join(
    '\n',
  );
}

/** In single quotes a shell interprets nothing but the closing quote. */
export const shellQuote = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
