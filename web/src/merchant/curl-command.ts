type Sent = {
  readonly url: string;
  /** As the shell is to read it: whole within single quotes, or with a variable within double ones. */
  readonly authorization: string;
  readonly body: string;
};

/** A report for a command line, byte for byte. */
export function curlCommand({ url, authorization, body }: Sent): string {
  return [`curl ${url} \\`, `  -H ${authorization} -H 'Content-Type: application/json' \\`, `  --data-binary ${quoted(body)}`].join('\n');
}

/** For a shell: within single quotes nothing means anything but the quote itself. */
export const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
