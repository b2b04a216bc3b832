import type { Transition } from '../core/state-machine.ts';

export const importStates = ['draft', 'running', 'done', 'cancelled'] as const;
export type ImportState = (typeof importStates)[number];

/** Every legal change of an import's state. Only `transitionImport` writes the state, from this table. */
export const importTransitions = {
  /** The merchant, after the preview. */
  start: { from: ['draft'], to: 'running' },
  /** The job, after the last row. */
  finish: { from: ['running'], to: 'done' },
  /** The merchant. Invitations that were sent stay. */
  cancel: { from: ['draft', 'running'], to: 'cancelled' },
} as const satisfies Readonly<Record<string, Transition<ImportState>>>;
export type ImportEvent = keyof typeof importTransitions;

export const importRowStates = ['ready', 'invalid', 'invited', 'skipped'] as const;
export type ImportRowState = (typeof importRowStates)[number];
