import { link, unlink, type Chain, type Link } from './chain.ts';

/** Who waits, and until when on the clock of `performance.now()`. */
type Patient<T> = Link<T> & { readonly until: number; isWaiting: boolean };

type Patience<T> = {
  readonly add: (patient: T) => void;
  /** Whether it waited until now. */
  readonly leave: (patient: T) => boolean;
  readonly size: () => number;
  readonly endAll: () => void;
};

/**
 * Those who wait for something until a moment, and are told when it has come. They stand in the order of those moments, which is
 * nearly always the order in which they came; one timer watches the first.
 */
export function createPatience<T extends Patient<T>>(timeIsUp: (patient: T) => void): Patience<T> {
  const chain: Chain<T> = { first: null, last: null };
  let size = 0;
  let timer: NodeJS.Timeout | undefined;

  function watch(): void {
    clearTimeout(timer);
    timer = undefined;
    if (chain.first === null) return;
    // Rounded up, and not trusted: a timer may fire a little early.
    timer = setTimeout(() => endUntil(performance.now()), Math.max(1, Math.ceil(chain.first.until - performance.now())));
  }
  function endUntil(now: number): void {
    while (chain.first !== null && chain.first.until <= now) {
      const patient = chain.first;
      leave(patient);
      timeIsUp(patient);
    }
    watch();
  }
  function leave(patient: T): boolean {
    if (!patient.isWaiting) return false;
    patient.isWaiting = false;
    unlink(chain, patient);
    size -= 1;
    if (size === 0) watch();
    return true;
  }
  return {
    add(patient) {
      let before = chain.last;
      while (before !== null && before.until > patient.until) before = before.before;
      link(chain, patient, before);
      patient.isWaiting = true;
      size += 1;
      if (before === null) watch();
    },
    leave,
    size: () => size,
    endAll: () => endUntil(Infinity),
  };
}
