import type { LoggedEvent } from '@dragoman/protocol';

type Delta = LoggedEvent & { event: { partID: string; delta: string } };

const isDelta = (logged: LoggedEvent): logged is Delta => 'delta' in logged.event;

/** The same log with its deltas in other pieces: what `sizes` says, in turn; they may be cut inside a character. */
export function cutDeltas(events: readonly LoggedEvent[], sizes: readonly number[]): LoggedEvent[] {
  let cuts = 0;
  return joinDeltas(events).flatMap((logged) => {
    if (!isDelta(logged)) return [logged];
    const pieces: LoggedEvent[] = [];
    for (let rest = logged.event.delta; rest !== '';) {
      const size = Math.max(1, sizes[cuts++ % sizes.length]!);
      pieces.push({ ...logged, event: { ...logged.event, delta: rest.slice(0, size) } as LoggedEvent['event'] });
      rest = rest.slice(size);
    }
    return pieces;
  });
}

/** The same log with every run of deltas of one block as one, under the number of the last. */
export function joinDeltas(events: readonly LoggedEvent[]): LoggedEvent[] {
  const joined: LoggedEvent[] = [];
  for (const logged of events) {
    const last = joined.at(-1);
    if (last !== undefined && isDelta(last) && isDelta(logged) && last.event.partID === logged.event.partID)
      joined[joined.length - 1] = {
        ...logged,
        event: { ...logged.event, delta: last.event.delta + logged.event.delta } as LoggedEvent['event'],
      };
    else joined.push(logged);
  }
  return joined;
}

/** The value, with everything in it closed to changes. */
export function frozen<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const inner of Object.values(value)) frozen(inner);
  return value;
}
