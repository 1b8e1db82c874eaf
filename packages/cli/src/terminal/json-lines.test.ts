import { expect, test } from 'vitest';
import { jsonLines } from './json-lines.ts';
import { jsonText } from './json-text.ts';
import { RecordedSession, StandingClock } from './recorded-session.fixture.ts';

test('every event is one line of JSON that says where and when it happened', () => {
  const lines: string[] = [];
  const view = jsonLines((line) => lines.push(jsonText(line)));
  const session = new RecordedSession(view, new StandingClock());
  session.startTurn();
  session.add({ type: 'text-delta', messageID: 'msg_1', partID: 'prt_1', delta: 'a\nb\u001B\u009B\u2028\u202Ec' });
  view.end();

  expect(lines).toHaveLength(3);
  expect(JSON.parse(lines[1]!)).toEqual({
    seq: 2,
    at: 1_700_000_000_000,
    sessionID: 'ses_1',
    type: 'turn-started',
    turnID: 'trn_1',
    messageID: 'msg_0',
  });
  expect(lines[2]).toBe(
    '{"seq":3,"at":1700000000000,"sessionID":"ses_1","type":"text-delta","messageID":"msg_1","partID":"prt_1","delta":"a\\nb\\u001b\\u009b\\u2028\\u202ec"}',
  );
  expect(JSON.parse(lines[2]!)).toMatchObject({ delta: 'a\nb\u001B\u009B\u2028\u202Ec' });
});
