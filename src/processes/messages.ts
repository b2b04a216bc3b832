import type { MetricObjectWithValues, MetricValue } from 'prom-client';
import type { Role } from '../core/config.ts';

/**
 * Messages between a worker process and its supervisor. During an upgrade the two run different versions, so the names in the
 * messages stay.
 */
export type Task = {
  /** The name in logs and metrics, such as `web 1`. */
  readonly name: string;
  readonly role: Role;
  readonly databaseUrl: string;
  /** In base64. It is sent as a message because a process's environment can be read as long as it lives. */
  readonly secretKey: string;
  /** With separate web processes, the process for jobs listens on a private address of this machine. */
  readonly listensApart: boolean;
  /** Exactly one process prints the link for the first operator. */
  readonly welcomes: boolean;
};

/** Sent when the process is ready to serve. */
export type Ready = { readonly url: string; readonly firstOperatorLink: string | null };

export type ShutdownOptions = {
  /** Whether the whole service stops, so that `/readyz` fails. When only this process is replaced, others keep serving. */
  readonly isAnnounced: boolean;
  readonly acceptingMs: number;
  readonly restingMs: number;
};

export type ProcessMetrics = ReadonlyArray<MetricObjectWithValues<MetricValue<string>>>;
/** Null: it did not answer in time. */
export type NamedMetrics = { readonly process: string; readonly figures: ProcessMetrics | null };

export type ToWorker =
  | { readonly say: 'begin'; readonly task: Task }
  | { readonly say: 'leave'; readonly how: ShutdownOptions }
  | { readonly say: 'tell figures'; readonly asked: number }
  | { readonly say: 'figures of all'; readonly asked: number; readonly all: readonly NamedMetrics[] };

export type FromWorker =
  | { readonly say: 'ready'; readonly ready: Ready }
  | { readonly say: 'figures'; readonly asked: number; readonly figures: ProcessMetrics }
  | { readonly say: 'ask all figures'; readonly asked: number };
