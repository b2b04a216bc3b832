/** A seeded generator, so that each run creates the same history. */
export type Random = {
  /** From 0 to below 1. */
  readonly part: () => number;
  readonly whole: (least: number, most: number) => number;
  readonly isOneIn: (times: number) => boolean;
  readonly oneOf: <Thing>(things: readonly [Thing, ...Thing[]]) => Thing;
};

/** Mulberry32: small, and random enough for demo data. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const part = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const whole = (least: number, most: number) => least + Math.floor(part() * (most - least + 1));
  return { part, whole, isOneIn: (times) => part() < 1 / times, oneOf: (things) => things[whole(0, things.length - 1)] ?? things[0] };
}
