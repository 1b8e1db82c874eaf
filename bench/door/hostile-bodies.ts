import { gzipSync } from 'node:zlib';
import {
  body,
  type BodyLimits,
  type Entries,
  fill,
  type HostileBody,
  listBodies,
  numbered,
  repeat,
  ROOM,
} from './body-parts.ts';
import { runnerBodies } from './runner-bodies.ts';

const LEVELS = 97;

const NAME = (number: number) => number.toString(16).padStart(64, '0');
const KEY_TEXTS: Readonly<Record<string, string>> = {
  'key starts': 'sk-a ',
  keys: 'sk-proj-a1B2c3D4e5F6g7H8i9J0k1L2m3N4 ',
  'endless words': 'eyJabcdefghij.eyJabcdefghij',
  'private keys': '-----BEGIN RSA PRIVATE KEY-----\\nMIIE',
  addresses: 'x://a:b',
  assignments: 'password=\\"x secret_key: y ',
  fields: '{\\"password\\":\\"a\\",',
};

/** What a pattern for the end of a text could look at again and again. */
const RUNS: Readonly<Record<string, string>> = {
  spaces: ' ',
  'line breaks': '\\n',
  'carriage returns': '\\r',
  slashes: '/',
  dots: '.',
  quotes: "'",
  backticks: '`',
  brackets: '<',
  dashes: '-',
};
/** Long enough that looking at it again for each character of it takes seconds, and not for ever. */
const RUN = 100_000;

/** Whatever a parser could stumble over, for every route. */
export function plainBodies({ bytes, values, fields, names }: BodyLimits): HostileBody[] {
  const plain: HostileBody[] = [
    body('brackets without end', () => '['.repeat(bytes)),
    body('objects without end', () => fill('{"a":', bytes)),
    body(
      'lists in lists',
      () => `[${repeat(Math.floor((values - ROOM) / (LEVELS + 1)), '['.repeat(LEVELS) + ']'.repeat(LEVELS))}]`,
    ),
    body(
      'objects in objects',
      () => `[${repeat(Math.floor((fields - ROOM) / LEVELS), `${'{"a":'.repeat(LEVELS)}1${'}'.repeat(LEVELS)}`)}]`,
    ),
    body('many names', () => `{${numbered(names - ROOM, (number) => `"k${number}":1`)}}`),
    body(
      'many names in each object',
      () =>
        `{${numbered(Math.floor(fields / names), (object) => `"o${object}":{${numbered(names - ROOM, (number) => `"k${object}.${number}":1`)}}`)}}`,
    ),
    body('many objects, each with a name', () => `[${numbered(fields - ROOM, (number) => `{"k${number}":1}`)}]`),
    body('many {}', () => `[${repeat(Math.floor(values / 2) - ROOM, '{}')}]`),
    body('too many {}', () => fill('{},', bytes, '[')),
    body('many numbers', () => `[${repeat(values - ROOM, '1')}]`),
    body('one long text', () => `"${'a'.repeat(bytes - ROOM)}"`),
    body('line breaks in a text', () => `"${fill('\\n', bytes - ROOM)}"`),
    body('backslashes', () => `"${'\\'.repeat(bytes - ROOM)}`),
    body('escaped letters', () => `"${fill('\\u4e2d', bytes - ROOM)}"`),
    body('Chinese', () => `"${'中'.repeat(Math.floor((bytes - ROOM) / 3))}"`),
    body('line breaks, then a mistake', () => `${'\n'.repeat(bytes - ROOM)}x`),
    body('a long text, then a mistake', () => `["${'a'.repeat(bytes - ROOM)}",x`),
    {
      name: 'bytes that are no text',
      make: () => Buffer.concat([Buffer.from('"'), Buffer.alloc(bytes - ROOM, 0xff), Buffer.from('"')]),
    },
  ];
  const packed = ['brackets without end', 'many {}', 'too many {}', 'one long text', 'line breaks, then a mistake'];
  return [
    ...plain,
    ...plain
      .filter(({ name }) => packed.includes(name))
      .map(({ name, make }) => ({
        name: `${name}, packed`,
        isPacked: true,
        make: (first: number) => gzipSync(make(first)),
      })),
    { name: 'ten times too long, packed', isPacked: true, make: () => gzipSync(Buffer.alloc(bytes * 10, 0x20)) },
  ];
}

/** JSON inside of a text, which the door does not look into. */
function jsonTexts(bytes: number): [name: string, text: () => string][] {
  const half = Math.floor((bytes - ROOM) / 2);
  return [
    ['lists in lists', () => '['.repeat(half) + ']'.repeat(half)],
    ['many lists', () => `[${fill('[],', bytes - 2 * ROOM)}[]]`],
    ['many fields', () => `{${fill('\\"a\\":1,', bytes - 2 * ROOM)}\\"password\\":\\"x\\"}`],
    ['many objects', () => `[${fill('{\\"a\\":\\"b\\"},', bytes - 2 * ROOM)}{}]`],
    ['one secret', () => `{\\"token\\":\\"${'aB3'.repeat(Math.floor(half / 3))}\\"}`],
    ['one name', () => `{\\"${'secret_'.repeat(Math.floor(half / 7))}\\":\\"x\\"}`],
  ];
}

/** Bodies in the shape of a route, as far as it has one: full of mistakes, and full of what is right. */
export function shapedBodies(path: string, limits: BodyLimits, sessionId: string): HostileBody[] {
  const { bytes, fields, names } = limits;
  const lists = (around: (list: string) => string, right: Entries) => listBodies(limits, around, right);
  const texts = (around: (text: string) => string) => [
    ...Object.entries(KEY_TEXTS).map(([name, text]) => body(`text of ${name}`, () => around(fill(text, bytes - ROOM)))),
    ...jsonTexts(bytes).map(([name, text]) => body(`text of ${name}`, () => around(text()))),
  ];
  const runs = (where: string, around: (run: string) => string) =>
    Object.entries(RUNS).map(([name, one]) => body(`${name} in ${where}`, () => around(`a${one.repeat(RUN)}b`)));

  if (/\/messages(?:\/count_tokens)?$/.test(path))
    return [
      ...lists((list) => `{"model":"m","messages":[${list}]}`, { message: ['{"role":"user","content":"x"}', 2] }),
      ...lists((list) => `{"model":"m","messages":[{"role":"user","content":[${list}]}]}`, {
        text: ['{"type":"text","text":"x"}', 2],
        result: ['{"type":"tool_result","tool_use_id":"a","content":"{\\"a\\":1}"}', 3],
      }),
      ...lists((list) => `{"model":"m","messages":[{"role":"user","content":"x"}],"tools":[${list}]}`, {
        tool: ['{"name":"t","input_schema":{"type":"object"}}', 3],
      }),
      ...texts((text) => `{"model":"m","messages":[{"role":"user","content":"${text}"}]}`),
      ...texts(
        (text) =>
          `{"model":"m","messages":[{"role":"user","content":"x"}],"tools":[{"name":"t","parameters":"${text}"}]}`,
      ),
      ...runs('what the offline model is asked', (run) => offline(`{"role":"user","content":"<userRequest>${run}"}`)),
      ...texts(
        (text) =>
          `{"model":"m","messages":[{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"${text}"}]}]}`,
      ),
      body(
        'image',
        () =>
          `{"model":"m","messages":[{"role":"user","content":[{"type":"image","source":{"type":"base64","media_type":"image/png","data":"${'A'.repeat(bytes - ROOM)}"}}]}]}`,
      ),
    ];
  if (path.endsWith('/chat/completions'))
    return [
      ...lists((list) => `{"model":"m","messages":[${list}]}`, { message: ['{"role":"user","content":"x"}', 2] }),
      ...lists((list) => `{"model":"m","messages":[{"role":"user","content":[${list}]}]}`, {
        text: ['{"type":"text","text":"x"}', 2],
        image: ['{"type":"image_url","image_url":{"url":"data:image/png;base64,AAAA"}}', 3],
      }),
      ...lists((list) => `{"model":"m","messages":[{"role":"assistant","tool_calls":[${list}]}]}`, {
        call: ['{"id":"a","function":{"name":"f","arguments":"{}"}}', 4],
      }),
      ...texts(
        (text) =>
          `{"model":"m","messages":[{"role":"assistant","tool_calls":[{"id":"a","function":{"name":"f","arguments":"${text}"}}]}]}`,
      ),
      ...texts(
        (text) =>
          `{"model":"m","messages":[{"role":"user","content":"x"}],"tools":[{"function":{"name":"t","parameters":"${text}"}}]}`,
      ),
      ...runs('what the offline model is asked', (run) => offline(`{"role":"user","content":"<userRequest>${run}"}`)),
      ...runs('what it is told', (run) => offline(`${CALLED},{"role":"tool","tool_call_id":"a","content":"${run}"}`)),
      ...runs('a title', (run) =>
        offline(`{"role":"system","content":"title"},{"role":"user","content":"title:${run}"}`),
      ),
      body('a name of a tool that every result repeats', () =>
        offline(
          `{"role":"assistant","tool_calls":[{"id":"a","function":{"name":"${'f'.repeat(bytes / 2)}","arguments":"{}"}}]},${repeat(10_000, '{"role":"tool","tool_call_id":"a","content":"x"}')}`,
        ),
      ),
      ...texts((text) => `{"model":"m","messages":[{"role":"user","content":"${text}"}]}`),
      ...texts((text) => `{"model":"m","messages":[{"role":"tool","tool_call_id":"a","content":"${text}"}]}`),
      body(
        'image',
        () =>
          `{"model":"m","messages":[{"role":"user","content":[{"type":"image_url","image_url":{"url":"data:image/png;base64,${'A'.repeat(bytes - ROOM)}"}}]}]}`,
      ),
      body(
        'odd data: address',
        () =>
          `{"model":"m","messages":[{"role":"user","content":[{"type":"image_url","image_url":{"url":"data:image/png${fill(';a', bytes - ROOM)}"}}]}]}`,
      ),
    ];
  if (path.endsWith('/responses'))
    return [
      ...lists((list) => `{"model":"m","input":[${list}]}`, { item: ['{"role":"user","content":"x"}', 2] }),
      ...lists((list) => `{"model":"m","input":[{"role":"user","content":[${list}]}]}`, {
        part: ['{"type":"input_text","text":"x"}', 2],
      }),
      ...texts((text) => `{"model":"m","input":"${text}"}`),
      ...jsonTexts(Math.floor((bytes * 3) / 4)).map(([name, text]) =>
        body(
          `packed reasoning of ${name}`,
          () =>
            `{"model":"m","input":[{"type":"reasoning","encrypted_content":"dragoman.${Buffer.from(JSON.parse(`"${text()}"`) as string).toString('base64url')}"},{"role":"user","content":"x"}]}`,
        ),
      ),
    ];
  if (path.endsWith('/embeddings'))
    return lists((list) => `{"model":"e","input":[${list}]}`, { text: ['"some words"', 1] });
  if (/\/(?:chat-stream|chat|prompt-enhancer|generate-conversation-title)$/.test(path))
    return [
      ...lists((list) => `{"model":"m","message":"x","chat_history":[${list}]}`, {
        exchange: ['{"request_message":"a","response_text":"b"}', 2],
      }),
      ...lists((list) => `{"model":"m","message":"x","nodes":[${list}]}`, {
        text: ['{"id":1,"type":0,"text_node":{"content":"x"}}', 4],
        result: ['{"tool_result_node":{"tool_use_id":"a","content":"x"}}', 3],
      }),
      ...lists((list) => `{"model":"m","message":"x","tool_definitions":[${list}]}`, {
        tool: ['{"name":"t","input_schema_json":"{}"}', 2],
      }),
      ...texts((text) => `{"model":"m","message":"${text}"}`),
      ...texts((text) => `{"model":"m","message":"x","tool_definitions":[{"name":"t","input_schema_json":"${text}"}]}`),
      ...runs('what the offline model is asked', (run) => `{"model":"offline/offline","message":"${run}"}`),
      body(
        'a text in very many blocks',
        () =>
          `{"model":"m","message":"x","chat_history":[{"request_message":"a","response_nodes":[{"thinking":{"summary":"${'x'.repeat(bytes / 2)}","dragoman_blocks":[${repeat(50_000, '{"length":-2}')}]}}]}]}`,
      ),
      body(
        'a tool with a long name that is called wrongly',
        () =>
          `{"model":"offline/offline","message":"x","tool_definitions":[{"name":"${'x'.repeat(bytes - 2 * ROOM)}_codebase-retrieval","input_schema":{"type":"object","properties":{"information_request":{},"x":{"type":"string"}},"required":["x"]}}]}`,
      ),
    ];
  if (/\/(?:completion|chat-input-completion|edit|instruction-stream|smart-paste-stream|next-edit-stream)$/.test(path))
    return texts((text) => `{"model":"m","prompt":"${text}","instruction":"x","selected_text":"y"}`);
  if (path.endsWith('/find-missing'))
    return [
      ...lists((list) => `{"mem_object_names":[${list}]}`, { entry: [`{"blob_name":"${NAME(1)}"}`, 1] }),
      body('200,000 names', () => `{"mem_object_names":[${numbered(200_000, (number) => `"${NAME(number)}"`)}]}`),
    ];
  if (/\/(?:checkpoint-blobs|codebase-retrieval|register-blobset)$/.test(path))
    return [
      ...lists((list) => `{"information_request":"where","blobs":{"added_blobs":[${list}]}}`, {
        entry: [`{"blob_name":"${NAME(1)}"}`, 1],
      }),
      body(
        '200,000 names',
        () =>
          `{"information_request":"where","commit":{"commit_sha":"a"},"blobs":{"added_blobs":[${numbered(200_000, (number) => `"${NAME(number)}"`)}]}}`,
      ),
      body('a long question', () => `{"information_request":"${fill('where is it ', bytes - ROOM)}"}`),
    ];
  if (path.endsWith('/batch-upload'))
    return [
      ...lists((list) => `{"blobs":[${list}]}`, {
        blob: [`{"blob_name":"${NAME(1)}","path":"a.ts","content":"x"}`, 3],
      }),
      body(
        '1,000 large files',
        () =>
          `{"blobs":[${numbered(1_000, (number) => `{"blob_name":"${NAME(number)}","path":"a${number}.ts","content":"${fill('const a = 1;\\n', Math.floor(bytes / 1_000) - ROOM)}"}`)}]}`,
      ),
    ];
  if (path.endsWith('/get-latest-blobset')) return lists((list) => `{"commit_shas":[${list}]}`, { sha: ['"abc"', 1] });
  if (/\/runner\/[^/]+\/events$/.test(path)) return runnerBodies(limits, sessionId);
  if (path.endsWith('/runner/hello'))
    return [
      ...lists(
        (list) =>
          `{"id":"run_flood","name":"a","host":"a","version":"1","isShared":false,"outboxId":"b","agents":[],"folders":[${list}]}`,
        { folder: ['"/code"', 1] },
      ),
      ...lists(
        (list) =>
          `{"id":"run_flood","name":"a","host":"a","version":"1","isShared":false,"outboxId":"b","folders":[],"agents":[${list}]}`,
        { agent: ['{"name":"a","backend":"b","capabilities":{}}', 3] },
      ),
    ];
  if (/\/replies\/[^/]+$/.test(path)) return lists((list) => `{"result":[${list}]}`, { file: ['{"path":"a"}', 1] });
  if (path.endsWith('/prompts') || path.endsWith('/api/sessions')) {
    const around = (prompt: string) =>
      path.endsWith('/prompts') ? prompt : `{"agent":"a","folder":"/x","prompt":${prompt}}`;
    return [
      ...lists((list) => around(`{"content":[${list}]}`), { text: ['{"type":"text","text":"x"}', 2] }),
      body('a long text', () => around(`{"text":"${fill('some words \\n', bytes - ROOM)}"}`)),
      body('an image', () =>
        around(`{"content":[{"type":"image","media_type":"image/png","data":"${'A'.repeat(bytes - ROOM)}"}]}`),
      ),
      body('an image that is none', () =>
        around(`{"content":[{"type":"image","media_type":"image/png","data":"${'A'.repeat(bytes - ROOM)}!"}]}`),
      ),
      body('a long address', () =>
        around(`{"content":[{"type":"file","name":"a","url":"https://a.example/${'%zz'.repeat(bytes / 3 - ROOM)}"}]}`),
      ),
      body('a long data: address', () =>
        around(`{"content":[{"type":"file","name":"a","url":"data:${'%zz'.repeat(bytes / 3 - ROOM)}"}]}`),
      ),
    ];
  }
  if (path.endsWith('/fork'))
    return [body('all of it', () => '{}'), body('as much as may be', () => '{"beforeMessageId":"m-text-4"}')];
  if (path.endsWith('/api/settings'))
    return [
      ...lists((list) => `{"changes":[${list}]}`, { change: ['{"path":["agents","x"],"value":{}}', 2] }),
      body(
        'one large change',
        () => `{"changes":[{"path":["agents"],"value":{${numbered(names - ROOM, (number) => `"a${number}":{}`)}}}]}`,
      ),
      body(
        'as many settings as a group may have',
        () =>
          `{"changes":[{"path":["agents"],"value":{${numbered(1000, (number) => `"a${number}":{"backend":"native"}`)}}}]}`,
      ),
      body(
        'one long text',
        () => `{"changes":[{"path":["agents","x","backend"],"value":"${'a'.repeat(bytes - ROOM)}"}]}`,
      ),
    ];
  if (/\/(?:search|codebase_search|context|find_symbol|workspace_context)$/.test(path))
    return [
      body('a long question', () => `{"query":"${fill('where is it ', bytes - ROOM)}","name":"${'a'.repeat(100)}"}`),
      body('a question of one word', () => `{"query":"${'a'.repeat(bytes - ROOM)}","name":"x"}`),
      body('a long name', () => `{"query":"x","name":"${'a'.repeat(bytes - ROOM)}","workspace":"x"}`),
      ...runs('the name of a folder', (run) => `{"query":"x","name":"x","workspace":"${run}"}`),
      ...runs('a question', (run) => `{"query":"${run}","name":"x"}`),
    ];
  if (path.endsWith('/mcp'))
    return [
      body('a batch', () => `[${repeat(Math.floor(fields / 4), '{"jsonrpc":"2.0","id":1,"method":"ping"}')}]`),
      body(
        'a long question',
        () =>
          `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"codebase-retrieval","arguments":{"information_request":"${fill('where is it ', bytes - ROOM)}"}}}`,
      ),
      ...runs(
        'the name of a folder',
        (run) =>
          `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"find-symbol","arguments":{"name":"x","workspace_folder":"${run}"}}}`,
      ),
    ];
  if (path.endsWith('/report-error')) return texts((text) => `{"sanitized_message":"${text}"}`);
  return [];
}

const CALLED = '{"role":"assistant","tool_calls":[{"id":"a","function":{"name":"code-search","arguments":"{}"}}]}';

function offline(messages: string): string {
  return `{"model":"offline/offline","messages":[${messages}]}`;
}
