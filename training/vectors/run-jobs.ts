/** Does the work of each item, several at a time, in order; one that fails does not hold up the others. */
export async function runJobs<Item>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const waiting = [...items];
  await Promise.all(
    Array.from({ length: Math.min(atOnce, items.length) }, async () => {
      for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await work(item);
    }),
  );
}
