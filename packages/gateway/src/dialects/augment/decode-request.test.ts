import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { decodeAugmentRequest } from './decode-request.ts';

const OPTIONS = { systemPromptBase: 'BASE', isTyped: false, isStreamed: true };
const decode = (body: unknown, options: Partial<typeof OPTIONS> = {}) =>
  decodeAugmentRequest(body, { ...OPTIONS, ...options });
const recording = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`recordings/${name}.json`, import.meta.url), 'utf8'));
const text = (content: string) => ({ type: 'text', text: content });
const textNode = (content: string) => ({ id: 1, type: 0, text_node: { content } });
const WORKSPACE = '# Workspace\nWorkspace folders: /workspace\nThe terminal is in: /workspace';
const RULE = '# Rule non-interactive-prompt.md\n<rule text>';

describe('recorded requests', () => {
  test('BYOK-29 BYOK-30 BYOK-31 BYOK-32 COMPAT-85 a round of tools of the command line becomes system, history and turn', () => {
    const { asked, call } = decode(recording('cli-tool-round'));
    const result = (toolCallId: string, toolName: string) => ({
      role: 'tool',
      content: [{ type: 'tool-result', toolCallId, toolName, isError: false, content: [text(expect.any(String))] }],
    });
    const called = (toolCallId: string, toolName: string, input: string) => ({
      type: 'tool-call',
      toolCallId,
      toolName,
      input,
    });

    expect(asked).toBe('');
    expect(call.prompt).toEqual([
      { role: 'system', content: `BASE\n\n${RULE}\n\n${WORKSPACE}` },
      { role: 'user', content: [text('use tools')] },
      {
        role: 'assistant',
        content: [text('Looking.'), called('toolu_1', 'view', '{"path":"hello.py","type":"file"}')],
      },
      result('toolu_1', 'view'),
      {
        role: 'assistant',
        content: [called('toolu_2', 'launch-process', '{"command":"echo hi","wait":true,"max_wait_seconds":10}')],
      },
      result('toolu_2', 'launch-process'),
      {
        role: 'assistant',
        content: [called('toolu_3', 'save-file', '{"path":"new.txt","file_content":"made by the mock"}')],
      },
      result('toolu_3', 'save-file'),
      {
        role: 'assistant',
        content: [called('toolu_4', 'codebase-retrieval', '{"information_request":"where is greet"}')],
      },
      result('toolu_4', 'codebase-retrieval'),
    ]);
    expect(call.tools.map((tool) => tool.name)).toEqual(['launch-process', 'kill-process']);
  });

  test('the beginning of the prompt stays the same from turn to turn, byte for byte', () => {
    const first = decode(recording('cli-first-turn')).call.prompt;
    const later = decode(recording('cli-tool-round')).call.prompt;

    expect(JSON.stringify(later.slice(0, first.length))).toBe(JSON.stringify(first));
  });

  test('an image, a PDF, rules, guidelines and skills', () => {
    const { prompt } = decode(recording('cli-image-pdf-rules')).call;

    expect(prompt[0]).toEqual({
      role: 'system',
      content: [
        'BASE',
        '# Guidelines of the workspace\nGuideline.',
        RULE,
        '# Rule AGENTS.md\n<rule text>',
        '# Rule .augment/rules/r1.md\n<rule text>',
        '# Rules to follow where they apply\n.augment/rules/r2.md: <description>\n<rule text>',
        '# Skills: read the file of a skill before you use it\n- demo: <description> (/workspace/.augment/skills/demo/SKILL.md)',
        WORKSPACE,
      ].join('\n\n'),
    });
    expect(prompt[1]).toEqual({
      role: 'user',
      content: [
        text('describe'),
        { type: 'file', mediaType: 'image/png', data: { type: 'base64', base64: '<base64>' } },
        { type: 'file', mediaType: 'application/pdf', data: { type: 'base64', base64: '<base64>' }, filename: 'd.pdf' },
      ],
    });
  });

  test('BYOK-08 a silent helper call is made from its message and offers no tools', () => {
    for (const name of ['cli-title', 'cli-enhance']) {
      const { call } = decode(recording(name));
      expect(call.prompt.at(-1)).toEqual({
        role: 'user',
        content: [text(expect.stringMatching(/^<prompt, \d+ chars>$/))],
      });
      expect(call.tools).toEqual([]);
    }
  });

  test('BYOK-33 the SDK fills both message and nodes, and its text is taken once', () => {
    const { asked, call } = decode(recording('sdk-tools'));

    expect(asked).toBe('mock-a');
    expect(call.prompt).toEqual([
      { role: 'system', content: 'BASE' },
      { role: 'user', content: [text('System: SYS'), text('weather?')] },
      {
        role: 'assistant',
        content: [{ type: 'tool-call', toolCallId: 't1', toolName: 'weather', input: '{"city":"Oslo"}' }],
      },
      {
        role: 'tool',
        content: [
          {
            type: 'tool-result',
            toolCallId: 't1',
            toolName: 'weather',
            isError: false,
            content: [text('{"city":"Oslo","t":20}')],
          },
        ],
      },
    ]);
    expect(decode(recording('sdk-chat')).call.prompt[1]).toMatchObject({ role: 'user' });
  });
});

describe('odd and broken requests', () => {
  test('COMPAT-39 COMPAT-40 a node is known by its payload, and one of an unknown kind is skipped', () => {
    const nodes = [
      { type: 99, mystery_node: {} },
      { id: 1, type: 77, text_node: { content: 'hi' } },
      { type: 3, image_id_node: {} },
      'nonsense',
      null,
      { type: 0, text_node: { content: 7 } },
    ];

    expect(decode({ nodes }).call.prompt[1]).toEqual({ role: 'user', content: [text('hi')] });
  });

  test('COMPAT-37 what is not a chat request is refused with the field', () => {
    const refusal = (body: unknown) => {
      try {
        decode(body);
      } catch (error) {
        return (error as Error).message;
      }
      return 'accepted';
    };

    expect(refusal([])).toBe('the body: Invalid input: expected object, received array');
    expect(refusal({ message: 'x', nodes: {} })).toBe('nodes: Invalid input: expected array, received object');
    expect(refusal({ message: 'x', chat_history: 'y' })).toBe(
      'chat_history: Invalid input: expected array, received string',
    );
    expect(refusal({ message: 'x', tool_definitions: 'y' })).toBe(
      'tool_definitions: Invalid input: expected array, received string',
    );
    expect(refusal({ nodes: [], message: '' })).toBe(
      'nodes: there is nothing to answer; send a text or tool-result node, or a message.',
    );
  });

  test('what the client remembers is told in the system prompt, and what is selected beside the question', () => {
    const { call, leftOut } = decode({
      message: 'Why?',
      agent_memories: 'Likes tabs.',
      selected_code: 'let a;',
      path: 'a.ts',
    });
    expect(call.prompt).toEqual([
      { role: 'system', content: 'BASE\n\n# What you remember of the user\nLikes tabs.' },
      { role: 'user', content: [text('Why?'), text('Selected in the editor, in a.ts:\nlet a;')] },
    ]);
    expect(leftOut).toBeUndefined();
  });

  test('COMPAT-29 unknown keys do not travel on', () => {
    expect(
      JSON.stringify(decode({ message: 'hi', secret_plan: 'x', nodes: [{ ...textNode('hi'), odd: 'y' }] }).call),
    ).not.toMatch(/secret_plan|odd/);
  });

  test('history from strings where there are no nodes', () => {
    const { prompt } = decode({
      message: 'and now?',
      chat_history: [{ request_message: 'q', response_text: 'a' }],
    }).call;

    expect(prompt.slice(1)).toEqual([
      { role: 'user', content: [text('q')] },
      { role: 'assistant', content: [text('a')] },
      { role: 'user', content: [text('and now?')] },
    ]);
  });

  test('COMPAT-89 images are PNG, JPEG, GIF or WebP by their number', () => {
    const types = [1, 2, 3, 4].map(
      (format) =>
        decode({ nodes: [textNode('x'), { type: 2, image_node: { image_data: 'AA', format } }] }).call.prompt[1]!
          .content[1],
    );

    expect(types).toMatchObject([
      { mediaType: 'image/png' },
      { mediaType: 'image/jpeg' },
      { mediaType: 'image/gif' },
      { mediaType: 'image/webp' },
    ]);
    expect(() => decode({ nodes: [{ type: 2, image_node: { image_data: 'AA', format: 9 } }] })).toThrow(
      'nodes: the image format 9 is not known; 1 is PNG, 2 JPEG, 3 GIF, 4 WebP.',
    );
  });

  test('a tool result may hold text and pictures', () => {
    const result = {
      tool_use_id: 't',
      is_error: true,
      content_nodes: [
        { type: 1, text_content: 'see' },
        { type: 2, image_content: { image_data: 'AA', format: 2 } },
      ],
    };

    expect(decode({ nodes: [{ type: 1, tool_result_node: result }] }).call.prompt.at(-1)).toEqual({
      role: 'tool',
      content: [
        {
          type: 'tool-result',
          toolCallId: 't',
          toolName: '',
          isError: true,
          content: [text('see'), { type: 'file', mediaType: 'image/jpeg', data: { type: 'base64', base64: 'AA' } }],
        },
      ],
    });
  });

  test('a place is told again only when it changed', () => {
    const at = (folder: string) => ({ type: 4, ide_state_node: { workspace_folders: [{ folder_root: folder }] } });
    const chat = [
      { request_nodes: [textNode('a'), at('/one')], response_text: 'b' },
      { request_nodes: [textNode('c'), at('/one')], response_text: 'd' },
    ];

    expect(decode({ chat_history: chat, nodes: [textNode('e'), at('/two')] }).call.prompt).toEqual([
      { role: 'system', content: 'BASE\n\n# Workspace\nWorkspace folders: /one' },
      { role: 'user', content: [text('a')] },
      { role: 'assistant', content: [text('b')] },
      { role: 'user', content: [text('c')] },
      { role: 'assistant', content: [text('d')] },
      { role: 'user', content: [text('e'), text('The user is now working here:\nWorkspace folders: /two')] },
    ]);
  });
});

describe('typed frames', () => {
  test('COMPAT-47 COMPAT-90 nodes are read with the numbers and shapes of that form', () => {
    const nodes = [
      { type: 1, tool_result: { tool_use_id: 't', content: 'r' } },
      { type: 0, text: 'look' },
      { type: 2, image: { data: 'AA', media_type: 'image/jpeg' } },
      { type: 3, image_url: 'https://example.com/a.png' },
      { type: 4, data: 'BB' },
    ];

    expect(decode({ nodes }, { isTyped: true }).call.prompt.slice(1)).toEqual([
      {
        role: 'tool',
        content: [{ type: 'tool-result', toolCallId: 't', toolName: '', isError: false, content: [text('r')] }],
      },
      {
        role: 'user',
        content: [
          text('look'),
          { type: 'file', mediaType: 'image/jpeg', data: { type: 'base64', base64: 'AA' } },
          { type: 'file', mediaType: 'image/*', data: { type: 'url', url: 'https://example.com/a.png' } },
          { type: 'file', mediaType: 'image/webp', data: { type: 'base64', base64: 'BB' } },
        ],
      },
    ]);
  });

  test('COMPAT-47 an answer in the history is read in that form, its pieces of text as one text', () => {
    const chat_history = [
      {
        request_nodes: [{ type: 0, text: 'look' }],
        response_nodes: [
          { type: 0, data: { text: 'Reading' } },
          { type: 0, data: { text: ' ' } },
          { type: 0, data: { text: 'it.' } },
          { type: 5, data: { tool_use: { id: 't', name: 'f', input: { path: 'a' } } } },
          { type: 5, tool_use: { tool_use_id: 'u', tool_name: 'g', input_json: '{"b":1}' } },
          { type: 2, stop_reason: 'tool_use' },
        ],
      },
    ];
    const nodes = [
      { type: 1, tool_result: { id: 'u', output: 'r' } },
      { type: 1, tool_result: { tool_use_id: 't', content: 'q', is_error: true } },
    ];

    expect(decode({ chat_history, nodes }, { isTyped: true }).call.prompt.slice(1)).toEqual([
      { role: 'user', content: [text('look')] },
      {
        role: 'assistant',
        content: [
          text('Reading it.'),
          { type: 'tool-call', toolCallId: 't', toolName: 'f', input: '{"path":"a"}' },
          { type: 'tool-call', toolCallId: 'u', toolName: 'g', input: '{"b":1}' },
        ],
      },
      {
        role: 'tool',
        content: [
          { type: 'tool-result', toolCallId: 'u', toolName: 'g', isError: false, content: [text('r')] },
          { type: 'tool-result', toolCallId: 't', toolName: 'f', isError: true, content: [text('q')] },
        ],
      },
    ]);
  });
});
