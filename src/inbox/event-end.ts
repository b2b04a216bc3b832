/** `ignored`: it is about nothing that can earn. `failed`: it cannot be used, and the reason says what to do. */
export const eventStates = ['waiting', 'done', 'ignored', 'failed'] as const;
export type EventState = (typeof eventStates)[number];

export type EventEnd = {
  readonly state: EventState;
  /** Processing it again would end the same way, so its content is deleted. */
  readonly isFinal: boolean;
  readonly reason: string | null;
  readonly message: string | null;
  readonly tryAt: Date;
  readonly endedAt: Date | null;
};

/** What became of one attempt. `reason`: why it was ignored, could not be read, or the service's reason. */
export type Handled =
  | { readonly outcome: 'done'; readonly reason: null; readonly message: null }
  | { readonly outcome: 'ignored'; readonly reason: string; readonly message: null }
  | { readonly outcome: 'refused' | 'again' | 'held'; readonly reason: string; readonly message: string | null };
