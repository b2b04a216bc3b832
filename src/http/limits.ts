import { secondMs } from '../core/time.ts';

/** The limits of the HTTP server, with the reason for each. Only tests override them, to shorten the times. */
export type HttpLimits = {
  readonly headerBytesMax: number;
  readonly bodyBytesMax: number;
  readonly bodiesBytesMax: number;
  readonly receiveMs: number;
  readonly receiveCheckMs: number;
  readonly keepAliveMs: number;
  readonly sendMs: number;
  readonly idleMs: number;
  readonly connectionsMax: number;
  readonly backlogMax: number;
  readonly closeMs: number;
  readonly lingerMs: number;
  readonly unreadBytesMax: number;
};

export const httpLimits: HttpLimits = {
  /** The request line and all headers together. */
  headerBytesMax: 16_384,
  /** For the management API; postbacks have a smaller limit. */
  bodyBytesMax: 1_048_576,
  /** All bodies of more than 16 KiB that the process reads or handles at the same time, except uploads, whose number is limited. */
  bodiesBytesMax: 67_108_864,
  /** From the first to the last byte of a request. Slower senders are disconnected, so that slow-request attacks cost nothing. */
  receiveMs: 10 * secondMs,
  receiveCheckMs: secondMs,
  /** Longer than the usual 60 s of load balancers; otherwise the server could close a connection just when they send a request. */
  keepAliveMs: 75 * secondMs,
  /** Without a byte that the client accepts while a response is being sent. Clients that do not read would keep responses in memory. */
  sendMs: 60 * secondMs,
  /** Without a byte in either direction while a response is due. Long enough for a billing run, which responds at its end. */
  idleMs: 600 * secondMs,
  connectionsMax: 20_000,
  /**
   * Connections that wait to be accepted. Beyond it the kernel drops packets, and senders retry only after seconds: with Node's default of
   * 511, half of the 503 responses under load came late. Linux caps it at net.core.somaxconn.
   */
  backlogMax: 4_096,
  /** How long a shutdown waits for responses that are due. */
  closeMs: 10 * secondMs,
  /** How long a connection stays open after an early response. If it closed immediately, the sender's kernel could discard the response. */
  lingerMs: 2 * secondMs,
  /** An unread body up to this size is read and dropped, and the connection stays open. */
  unreadBytesMax: 65_536,
};
