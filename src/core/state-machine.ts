/** An event of a state machine: where it may happen, and what it leads to. `to` is null if it changes other columns and keeps the state. */
export type Transition<State extends string> = { readonly from: readonly State[]; readonly to: State | null };
export type Transitions<State extends string> = Readonly<Record<string, Transition<State>>>;

/** The state after the event, or null if the event may not happen in this state. */
export function stateAfterEvent<State extends string>(state: State, { from, to }: Transition<State>): State | null {
  return from.includes(state) ? (to ?? state) : null;
}
