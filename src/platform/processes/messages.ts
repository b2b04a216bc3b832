import type { MetricObjectWithValues, MetricValue } from 'prom-client';
import type { Role } from '../config.ts';

/** What a process and the one above it say to each other. Both are of one start or of two versions a restart apart. */
export type Task = {
  /** As it is called in logs and figures, such as `web 1`. */
  readonly name: string;
  readonly role: Role;
  readonly databaseUrl: string;
  /** In base64. It goes this way, and not by the environment, because that can be read for as long as the process lives. */
  readonly secretKey: string;
  /** Beside processes that answer requests, one for the jobs listens where only this machine reaches it. */
  readonly listensApart: boolean;
  /** One of them tells who may become the first operator. */
  readonly welcomes: boolean;
};

/** What it says when it serves. */
export type Ready = { readonly url: string; readonly firstOperatorLink: string | null };

export type HowToLeave = {
  /** The whole service goes: `/readyz` says so. Where only this process is replaced, others serve on. */
  readonly isAnnounced: boolean;
  readonly acceptingMs: number;
  readonly restingMs: number;
};

export type Figures = ReadonlyArray<MetricObjectWithValues<MetricValue<string>>>;
/** Null: it did not answer in time. */
export type FiguresOf = { readonly process: string; readonly figures: Figures | null };

export type ToWorker =
  | { readonly say: 'begin'; readonly task: Task }
  | { readonly say: 'leave'; readonly how: HowToLeave }
  | { readonly say: 'tell figures'; readonly asked: number }
  | { readonly say: 'figures of all'; readonly asked: number; readonly all: readonly FiguresOf[] };

export type FromWorker =
  | { readonly say: 'ready'; readonly ready: Ready }
  | { readonly say: 'figures'; readonly asked: number; readonly figures: Figures }
  | { readonly say: 'ask all figures'; readonly asked: number };
