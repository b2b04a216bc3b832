import type { Config } from '../core/config.ts';

type LinkAccessFacts = {
  readonly mode: Config['mode'];
  readonly hasMailServer: boolean;
  /** The reader is always a person with a session, never an API key. */
  readonly readerEmail: string;
  readonly to: string;
};

/**
 * Decides whether a reader may see the one-time links of a stored email. A link acts as the person it was sent to, so with a mail server
 * it is never shown. Without one, people see the links sent to themselves. In the sandbox operators see all links, so that one person can
 * test sign-up, invitations and password resets.
 */
export function mayViewLinks({ mode, hasMailServer, readerEmail, to }: LinkAccessFacts): boolean {
  if (hasMailServer) return false;
  if (to === readerEmail) return true;
  return mode === 'sandbox';
}
