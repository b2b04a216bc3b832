import type { Config } from '../platform/config.ts';

type OpenMailFacts = {
  readonly mode: Config['mode'];
  readonly hasMailServer: boolean;
  /** The reader is a person with a session, never an API key. */
  readonly readerEmail: string;
  readonly to: string;
};

/**
 * Whether a reader may see the links of a stored mail: whoever has such a link becomes the person it was written to. With a mail
 * server nobody needs it. Without one, people read their own; in the sandbox an operator hands on those of others too, so that one
 * person can walk through sign-up, invitation and reset.
 */
export function mayOpenLinks({ mode, hasMailServer, readerEmail, to }: OpenMailFacts): boolean {
  if (hasMailServer) return false;
  if (to === readerEmail) return true;
  return mode === 'sandbox';
}
