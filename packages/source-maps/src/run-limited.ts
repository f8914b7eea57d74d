/** Runs a task for each item, at most `limit` at a time. After a rejection no further task starts. */
export async function runLimited<Item>(
  items: Iterable<Item>,
  limit: number,
  task: (item: Item) => Promise<void>,
): Promise<void> {
  const iterator = items[Symbol.iterator]();
  let hasFailed = false;
  const work = async (): Promise<void> => {
    for (let next = iterator.next(); !next.done && !hasFailed; next = iterator.next())
      try {
        await task(next.value);
      } catch (error) {
        hasFailed = true;
        throw error;
      }
  };
  const outcomes = await Promise.allSettled(Array.from({ length: limit }, work));
  const failed = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failed) throw failed.reason;
}
