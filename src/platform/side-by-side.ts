/** Works on so many at once, each begun as soon as one before it has ended. A fault ends it once what was begun has ended. */
export async function sideBySide<Item>(
  items: AsyncIterable<Item> | Iterable<Item>,
  atOnce: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const begun = new Set<Promise<void>>();
  let hasFailed = false;
  const begin = (item: Item) => {
    const one: Promise<void> = work(item).then(
      () => void begun.delete(one),
      (error: unknown) => {
        // It stays among those begun, or whoever waits for them later would not hear of it.
        hasFailed = true;
        throw error;
      },
    );
    // Heard below; until then its failure must not end the process.
    one.catch(() => {});
    begun.add(one);
  };
  try {
    for await (const item of items) {
      if (hasFailed) break;
      begin(item);
      if (begun.size >= atOnce) await Promise.race(begun);
    }
    await Promise.all(begun);
  } finally {
    await Promise.allSettled(begun);
  }
}
