import { gzipSync } from 'node:zlib';

/** What a body may be at most, as the door has it. */
export interface BodyLimits {
  bytes: number;
  values: number;
  fields: number;
}

/** A body, made when it is needed. */
export interface HostileBody {
  name: string;
  isPacked?: boolean;
  make: () => Buffer;
}

/** Small enough that what stands around a flood fits, too. */
const ROOM = 300;
const LEVELS = 97;

const NAME = (number: number) => number.toString(16).padStart(64, '0');
const KEY_TEXTS: Readonly<Record<string, string>> = {
  'key starts': 'sk-a ',
  'endless words': 'eyJabcdefghij.eyJabcdefghij',
  'private keys': '-----BEGIN RSA PRIVATE KEY-----\\nMIIE',
  addresses: 'x://a:b',
  assignments: 'password=\\"x secret_key: y ',
  fields: '{\\"password\\":\\"a\\",',
};

/** Whatever a parser could stumble over, for every route. */
export function plainBodies({ bytes, values, fields }: BodyLimits): HostileBody[] {
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
    body('many names', () => `{${numbered(fields - ROOM, (number) => `"k${number}":1`)}}`),
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
      .map(({ name, make }) => ({ name: `${name}, packed`, isPacked: true, make: () => gzipSync(make()) })),
    { name: 'ten times too long, packed', isPacked: true, make: () => gzipSync(Buffer.alloc(bytes * 10, 0x20)) },
  ];
}

/** Bodies in the shape of a route, as far as it has one: full of mistakes, and full of what is right. */
export function shapedBodies(path: string, limits: BodyLimits, sessionId: string): HostileBody[] {
  const { bytes, values, fields } = limits;
  const count = (perEntry: number) => Math.floor((fields - ROOM) / Math.max(1, perEntry));
  const lists = (
    around: (list: string) => string,
    right: Readonly<Record<string, [entry: string, fieldsInIt: number]>>,
  ) => [
    ...['{}', '[]', '""', '1', 'null', '{"type":7}'].map((wrong) =>
      body(`list of ${wrong}`, () =>
        around(repeat(wrong.includes(':') ? count(1) : Math.floor(values / 2) - ROOM, wrong)),
      ),
    ),
    ...Object.entries(right).flatMap(([name, [entry, own]]) =>
      [10_000, 2_000, count(own)].map((most) =>
        body(`${Math.min(most, count(own))} × ${name}`, () => around(repeat(Math.min(most, count(own)), entry))),
      ),
    ),
  ];
  const texts = (around: (text: string) => string) =>
    Object.entries(KEY_TEXTS).map(([name, text]) => body(`text of ${name}`, () => around(fill(text, bytes - ROOM))));

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
  if (/\/runner\/[^/]+\/events$/.test(path))
    return [
      ...lists((list) => `{"outboxId":"box","first":1,"records":[${list}]}`, {
        event: ['{"sessionId":"ses_x","at":1,"event":{}}', 3],
        plan: [
          '{"sessionId":"ses_x","at":1,"event":{"type":"block-stop","blockId":"b","messageId":"m","role":"agent","block":{"type":"plan","entries":[{},{},{}]}}}',
          10,
        ],
        text: [
          `{"sessionId":"${sessionId}","at":1,"event":{"type":"block-stop","blockId":"b","messageId":"m","role":"assistant","block":{"type":"text","text":"x"}}}`,
          10,
        ],
        turn: [`{"sessionId":"${sessionId}","at":1,"event":{"type":"turn-started","turnId":"t"}}`, 5],
        approval: [
          `{"sessionId":"${sessionId}","at":1,"event":{"type":"approval-asked","approval":{"id":"a","title":"x","options":[{"id":"y","name":"Y","kind":"allow_once"}]}}}`,
          11,
        ],
      }),
      body(
        'one plan',
        () =>
          `{"outboxId":"box","first":1,"records":[{"sessionId":"${sessionId}","at":1,"event":{"type":"block-stop","blockId":"p","messageId":"m","role":"assistant","block":{"type":"plan","entries":[${repeat(Math.floor(values / 2) - ROOM, '{}')}]}}}]}`,
      ),
      body(
        'one text',
        () =>
          `{"outboxId":"box","first":1,"records":[{"sessionId":"${sessionId}","at":1,"event":{"type":"block-stop","blockId":"q","messageId":"m","role":"assistant","block":{"type":"text","text":"${fill('some words \\n', bytes - ROOM)}"}}}]}`,
      ),
    ];
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
  if (path.endsWith('/api/settings'))
    return [
      ...lists((list) => `{"changes":[${list}]}`, { change: ['{"path":["agents","x"],"value":{}}', 2] }),
      body(
        'one large change',
        () => `{"changes":[{"path":["agents"],"value":{${numbered(fields - ROOM, (number) => `"a${number}":{}`)}}}]}`,
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
    ];
  if (path.endsWith('/mcp'))
    return [
      body('a batch', () => `[${repeat(Math.floor(fields / 4), '{"jsonrpc":"2.0","id":1,"method":"ping"}')}]`),
      body(
        'a long question',
        () =>
          `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"codebase-retrieval","arguments":{"information_request":"${fill('where is it ', bytes - ROOM)}"}}}`,
      ),
    ];
  if (path.endsWith('/report-error')) return texts((text) => `{"sanitized_message":"${text}"}`);
  return [];
}

function body(name: string, text: () => string): HostileBody {
  return { name, make: () => Buffer.from(text()) };
}

function repeat(count: number, entry: string): string {
  return count <= 0 ? '' : `${`${entry},`.repeat(count - 1)}${entry}`;
}

function numbered(count: number, entry: (number: number) => string): string {
  return Array.from({ length: Math.max(0, count) }, (_, number) => entry(number)).join(',');
}

/** As often as it fits. */
function fill(piece: string, bytes: number, start = ''): string {
  return start + piece.repeat(Math.max(0, Math.floor((bytes - start.length) / Buffer.byteLength(piece))));
}
