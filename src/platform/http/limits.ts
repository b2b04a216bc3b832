import { secondMs } from '../time.ts';

/** The limits of the front door, each with the reason for its size. Tests shorten the times; nothing else changes them. */
export type HttpLimits = {
  readonly headerBytesMax: number;
  readonly bodyBytesMax: number;
  readonly receiveMs: number;
  readonly receiveCheckMs: number;
  readonly keepAliveMs: number;
  readonly silenceMs: number;
  readonly connectionsMax: number;
  readonly knockingMax: number;
  readonly closeMs: number;
  readonly lingerMs: number;
  readonly unreadBytesMax: number;
};

export const httpLimits: HttpLimits = {
  /** The request line and all headers together. */
  headerBytesMax: 16_384,
  /** Of the management API; the postbacks have a smaller one of their own. */
  bodyBytesMax: 1_048_576,
  /** From a request's first byte to its last. Whoever needs longer is cut off: two thousand dripping sockets must not cost anything. */
  receiveMs: 10 * secondMs,
  receiveCheckMs: secondMs,
  /** Longer than the 60 s of usual load balancers: else we hang up just when they send the next order. */
  keepAliveMs: 75 * secondMs,
  /** No byte in either direction while an answer is due. Long enough for a billing run that answers when it is done. */
  silenceMs: 600 * secondMs,
  connectionsMax: 20_000,
  /**
   * Connections that wait until we look up from the requests at hand. Past it the kernel drops what they send, and senders try
   * again after seconds: with Node's own 511, half of a crowd's refusals came late. Linux takes no more than net.core.somaxconn.
   */
  knockingMax: 4_096,
  /** How long a stop waits for answers that are due. */
  closeMs: 10 * secondMs,
  /** How long an answer given before the body was read is left to arrive. Closing at once would make the sender's kernel throw it away. */
  lingerMs: 2 * secondMs,
  /** An unread body up to this size is read and dropped, and the connection stays. */
  unreadBytesMax: 65_536,
};
