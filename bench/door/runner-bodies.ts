import { body, type BodyLimits, fill, type HostileBody, listBodies, numbered, repeat, ROOM } from './body-parts.ts';

/** What a runner may tell of a session: each body goes on where the last one ended, so that all of it is stored. */
export function runnerBodies(limits: BodyLimits, sessionId: string): HostileBody[] {
  const { bytes, values } = limits;
  const said = (event: string) => `{"sessionId":"${sessionId}","at":1,"event":${event}}`;
  const batch = (name: string, records: () => string): HostileBody =>
    body(name, (first) => `{"outboxId":"box","first":${first},"records":[${records()}]}`);
  const stop = (id: string, block: string, role = 'assistant') =>
    said(`{"type":"block-stop","blockId":"${id}","messageId":"m","role":"${role}","block":${block}}`);
  const asks = (id: number | string, more: string) =>
    said(
      `{"type":"approval-asked","approval":{"id":"a${id}","options":[{"id":"y","name":"Y","kind":"allow_once"}],${more}}}`,
    );
  return [
    ...listBodies(limits, (list, first) => `{"outboxId":"box","first":${first},"records":[${list}]}`, {
      event: ['{"sessionId":"ses_x","at":1,"event":{}}', 3],
      plan: [stop('b', '{"type":"plan","entries":[{},{},{}]}'), 10],
      text: [stop('b', '{"type":"text","text":"x"}'), 10],
      turn: [said('{"type":"turn-started","turnId":"t"}'), 5],
      approval: [asks('', '"title":"x"'), 11],
    }),
    batch('one plan', () => stop('p', `{"type":"plan","entries":[${repeat(Math.floor(values / 2) - ROOM, '{}')}]}`)),
    batch('a long plan', () =>
      stop(
        'l',
        `{"type":"plan","entries":[${repeat(Math.floor(bytes / 2_100), `{"content":"${'x'.repeat(2_000)}","status":"pending"}`)}]}`,
      ),
    ),
    batch('one text', () => stop('q', `{"type":"text","text":"${fill('some words \\n', bytes - ROOM)}"}`)),
    batch('one result', () =>
      stop(
        'r',
        `{"type":"tool_result","tool_use_id":"c","content":"${fill('{\\"a\\":\\"b\\"},', bytes - ROOM)}"}`,
        'user',
      ),
    ),
    batch('pieces of one block', () =>
      numbered(9_000, () => said(`{"type":"block-delta","blockId":"d","delta":"${'x'.repeat(bytes / 9_000 - 200)}"}`)),
    ),
    ...['title', 'model', 'mode', 'agentSessionId'].map((field) =>
      batch(`news with a long ${field}`, () =>
        said(`{"type":"agent-updated","${field}":"${'x'.repeat(bytes - ROOM)}"}`),
      ),
    ),
    ...['cwd', 'branch'].map((field) =>
      batch(`a state with a long ${field}`, () =>
        said(`{"type":"agent-state","state":"ready","${field}":"${'/'.repeat(bytes - ROOM)}x"}`),
      ),
    ),
    batch('a turn with a long name', () => said(`{"type":"turn-started","turnId":"${'x'.repeat(bytes - ROOM)}"}`)),
    batch('a question with a long title', () =>
      asks('t', `"title":"a${' '.repeat(bytes - 2 * ROOM)}b","call":{"name":"bash","input":{"command":"x"}}`),
    ),
    ...[10_000, 250_000].map((length) =>
      batch(`a question with ${length} spaces in its title`, () =>
        asks(`s${length}`, `"title":"a${' '.repeat(length)}b","call":{"name":"bash","input":{"command":"x"}}`),
      ),
    ),
    batch('a question with a long command and very many subjects', () =>
      asks(
        'c',
        `"title":"x","call":{"name":"bash","input":{"command":"${fill('x ', bytes / 2)}"}},"question":{"tool":"bash","subjects":[${repeat(45_000, '{"kind":"command","value":"y"}')}]}`,
      ),
    ),
    batch('a question with as much as is kept', () =>
      asks(
        'k',
        `"title":"x","call":{"name":"bash","input":{"command":"${fill('x ', 200_000)}"}},"question":{"tool":"bash","subjects":[${repeat(900, '{"kind":"command","value":"y x x"}')}]}`,
      ),
    ),
    batch('very many long questions', () =>
      numbered(Math.floor(bytes / 251_000), (number) =>
        asks(`m${number}`, `"title":"x","call":{"name":"bash","input":{"command":"${fill('x ', 250_000)}"}}`),
      ),
    ),
    batch('files that are as they were', () =>
      said(`{"type":"reverted","messageId":"m","files":[${repeat(values - ROOM, '"\\u0000"')}]}`),
    ),
    batch('the end of the turn', () => said('{"type":"turn-finished","turnId":"t","reason":"done"}')),
  ];
}
