/** The number of connections that prepare rows. */
const stretchesAtOnce = 2;

/** Processes the range in chunks, in order and concurrently. */
export async function inStretches(count: number, length: number, lay: (from: number, to: number) => Promise<void>): Promise<void> {
  const starts = Array.from({ length: Math.ceil(count / length) }, (_none, place) => place * length).values();
  const walk = async () => {
    for (const from of starts) await lay(from, Math.min(count, from + length));
  };
  await Promise.all(Array.from({ length: stretchesAtOnce }, walk));
}
