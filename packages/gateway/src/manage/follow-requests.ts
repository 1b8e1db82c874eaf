import type { EventStream } from '@dragoman/server';
import type { CallWatch } from '../metering/call-watch.ts';

/** How many calls wait for a slow reader. One that is further behind starts again, and reads the list then. */
const MAX_WAITING = 500;

/** Tells a reader of every call that ends, until the stream does. */
export function followRequests(calls: CallWatch, stream: EventStream): void {
  let waiting: string[] | undefined;
  const catchUp = async (ready: Promise<void>): Promise<void> => {
    waiting = [];
    await ready;
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await stream.send(next);
    waiting = undefined;
  };
  const leave = calls.listen((json) => {
    if (waiting !== undefined) {
      if (waiting.push(json) > MAX_WAITING) stream.end();
      return;
    }
    const ready = stream.send(json);
    if (ready !== undefined) void catchUp(ready);
  });
  if (stream.signal.aborted) leave();
  else stream.signal.addEventListener('abort', leave, { once: true });
}
