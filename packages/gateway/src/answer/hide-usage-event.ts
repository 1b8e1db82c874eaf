const MARK = '"choices":[]';
const EVENT_START = 'data:';
const EVENT_END = '\n\n';

/** The events of a Chat Completions stream without the one that tells the usage, which the client did not ask for. */
export function hideUsageEvent(bytes: Buffer): Buffer {
  const mark = bytes.indexOf(MARK);
  if (mark === -1) return bytes;
  const start = bytes.lastIndexOf(EVENT_START, mark);
  const end = bytes.indexOf(EVENT_END, mark);
  if (start === -1 || end === -1 || bytes.subarray(start, end).indexOf('"usage":{') === -1) return bytes;
  return Buffer.concat([bytes.subarray(0, start), bytes.subarray(end + EVENT_END.length)]);
}
