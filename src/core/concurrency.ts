/**
 * Processes items concurrently up to the limit. After an error, no further item starts, and the error is thrown once the running
 * items have finished.
 */
export async function forEachConcurrently<Item>(
  items: AsyncIterable<Item> | Iterable<Item>,
  limit: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const running = new Set<Promise<void>>();
  let hasFailed = false;
  const start = (item: Item) => {
    const promise: Promise<void> = work(item).then(
      () => void running.delete(promise),
      (error: unknown) => {
        // The promise stays in the set so that Promise.all below rejects with this error.
        hasFailed = true;
        throw error;
      },
    );
    // Promise.all below handles the rejection; without this handler an early rejection would end the process.
    promise.catch(() => {});
    running.add(promise);
  };
  try {
    for await (const item of items) {
      if (hasFailed) break;
      start(item);
      if (running.size >= limit) await Promise.race(running);
    }
    await Promise.all(running);
  } finally {
    await Promise.allSettled(running);
  }
}
