import type { ServerResponse } from 'node:http';
import { finished } from 'node:stream';

const handled = new WeakMap<ServerResponse, Promise<unknown>>();

/** Names the promise of the handler, which may still use the body of its request after the client has disconnected. */
export const trackHandler = (response: ServerResponse, result: Promise<unknown>): void => void handled.set(response, result);

/** Calls `release` when the response has closed and its tracked handler, if it has one, has returned. */
export function releaseWhenDone(response: ServerResponse, release: () => void): void {
  finished(response, () => {
    const result = handled.get(response);
    if (result === undefined) release();
    else void result.then(release, release);
  });
}
