import { expect, test } from 'vitest';
import { agentMessageSchema } from '../uap/agent-message.ts';
import { goldenSessions } from '../uap/golden-sessions.fixture.ts';
import { toAgentMessages } from '../uap/to-agent-messages.ts';
import { exportSessionJson, exportSessionMarkdown, sessionJson, sessionMarkdown } from './export-session.ts';
import { foldHubEvents } from './fold-session-view.ts';
import type { SessionView } from './session-view.ts';

const view = (name: string) => foldHubEvents(goldenSessions.find((session) => session.name === name)!.events)!;

test('a session reads as a document: prompts and answers, thinking and calls folded [UAP-08, UAP-09, UAP-10, UAP-11]', () => {
  expect(exportSessionMarkdown(view('example'))).toBe(`# A session

- Agent: example
- Folder: /project
- Started by: Ada (web)
- Started: 2027-01-15 08:00:00
- Last event: 2027-01-15 08:00:08

## Ada (web)

src 里有什么？

## example

<details>
<summary>Thinking (2 s)</summary>

用户想要查看文件...

</details>

<details>
<summary>ls: Success (2 s)</summary>

\`\`\`json
{
  "path": "./src"
}
\`\`\`

\`\`\`
index.ts
utils.ts
\`\`\`

</details>

目录中包含 index.ts 和 utils.ts。
`);
});

test('after a change of agent each answer stands under who gave it, and the mode of the one before is over', () => {
  const { events } = goldenSessions.find((session) => session.name === 'example')!;
  const last = events.at(-1)!;
  const machine = { runnerId: 'run_desk', machine: 'desk' };
  const place = { from: machine, ...machine, folder: '/project', by: { type: 'runner' } } as const;
  const later = [
    { type: 'agent-updated', model: 'fast', mode: 'build' },
    { type: 'session-moved', ...place, agent: 'chat' },
    {
      type: 'block-stop',
      messageId: 'msg_later',
      role: 'assistant',
      blockId: 'blk_later',
      block: { type: 'text', text: 'Hello.' },
    },
  ] as const;
  const moved = later.map((event, index) => ({ seq: last.seq + index + 1, at: last.at, event }));

  const lines = exportSessionMarkdown(foldHubEvents([...events, ...moved])!).split('\n');

  expect(lines.filter((line) => /^(- Agent|- Mode|- Model|##|> )/.test(line))).toEqual([
    '- Agent: chat',
    '## Ada (web)',
    '## example',
    '> Now works with chat.',
    '## chat',
  ]);
});

test('diffs are fenced, questions tell how they were decided', () => {
  const document = exportSessionMarkdown(view('diff'));
  expect(document).toContain('> **Edit a.ts** Allow once, by Ada (web)');
  expect(document).toContain('<summary>Edit a.ts: Success (2 s)</summary>');
  expect(document).toContain(
    ['new.md', '', '````diff', '--- /dev/null', '+++ new.md', '@@ -0,0 +1,3 @@', '+```js'].join('\n'),
  );
});

test('plans, usage, pictures, errors and ends of turns have their words', () => {
  expect(exportSessionMarkdown(view('plan-moves-on'))).toContain('- [x] Read\n- [x] Write\n- [ ] Test (cancelled)');
  expect(exportSessionMarkdown(view('usage'))).toContain('- Tokens: 2,100 in, 70 out\n- Cost: $0.7500');
  const pictures = exportSessionMarkdown(view('image-and-file'));
  expect(pictures).toContain('*image* (image/png)\n\n[log.txt](<file:///project/log.txt>)');
  expect(pictures).toContain('![image](<https://example.com/a.svg>)');
  expect(pictures).not.toContain('iVBORw0KGgo=');
  const failed = exportSessionMarkdown(view('failed-turn'));
  expect(failed).toContain('> **Error:** The agent wants a login. Run on that machine: example login');
  expect(failed).toContain('> **The last turn ended: failed.** The agent wants a login.');
  expect(exportSessionMarkdown(view('unknown-tool-result'))).toContain('<summary>Result of call_9: Success</summary>');
});

test('text that looks like markup of the document does not become it', () => {
  const document = exportSessionMarkdown(view('hostile-text'));
  const outside = document.replace(/^(`{3,})[^`]*\n[\s\S]*?\n\1$/gm, '');
  expect(outside.match(/<[^>]*>/g)).toEqual([
    '<details>',
    '<summary>',
    '</summary>',
    '</details>',
    '<details>',
    '<summary>',
    '</summary>',
    '</details>',
  ]);
  expect(outside.match(/^#.*$/gm)).toEqual(['# A session', '## Ada (web)', '## example']);
});

test.each(goldenSessions)(
  'the export of $name as data holds its messages and how its calls stand [UAP-07]',
  ({ events }) => {
    const session = foldHubEvents(events)!;
    const text = exportSessionJson(session);
    expect(text).toBe(`${JSON.stringify(JSON.parse(text), null, 2)}\n`);
    const document = JSON.parse(text) as {
      messages: { id: string; message: unknown }[];
      calls: Record<string, { status: string }>;
    };
    expect(document).toMatchObject({
      format: 'dragoman-session',
      version: 1,
      session: { id: 'ses_1', title: 'A session' },
    });
    expect(document.messages.map(({ message }) => agentMessageSchema.parse(message))).toEqual(toAgentMessages(session));
    expect(Object.keys(document.calls)).toEqual([...session.tools.keys()]);
  },
);

test('an export holds no secret wherever it stands: in titles, places, names, errors and JSON as text', () => {
  const token = `ghp_${'aB3'.repeat(12)}`;
  const example = view('example');
  const everywhere = {
    ...example,
    title: `Fix ${token}`,
    cwd: `/work/${token}`,
    branch: token,
    model: token,
    turn: {
      ...example.turn!,
      reason: 'failed' as const,
      error: { code: 'internal', message: `refused ${token}`, fix: token },
    },
    messages: [
      ...example.messages,
      {
        id: 'm9',
        role: 'assistant' as const,
        since: 9,
        blocks: [
          { type: 'tool_use' as const, id: 'u9', name: token, input: { body: '{"password":"hunter2"}', note: token } },
          { type: 'notice' as const, text: `see ${token}` },
          { type: 'error' as const, code: 'x', message: token },
          { type: 'plan' as const, entries: [{ content: token, status: 'pending' as const }] },
          { type: 'file' as const, name: token, uri: `https://a.b/?access_token=f3Kq9ZtLw2Xb7Rm4Vc8N` },
        ].map((block, index) => ({ id: `b${index}`, block, isOpen: false, since: 9, startedAt: 0 })),
      },
    ],
  } as SessionView;

  for (const document of [exportSessionMarkdown(everywhere), exportSessionJson(everywhere)]) {
    expect(document.replaceAll('\\', '')).not.toMatch(/ghp_|hunter2|f3Kq9/);
    expect(document).toMatch(/GITHUB\\?_TOKEN\\?_REDACTED/);
  }
});

test('an export holds no secrets: neither what people and tools said, nor fields of inputs, nor JSON in results', () => {
  const token = `ghp_${'aB3'.repeat(12)}`;
  const events = JSON.stringify(goldenSessions.find(({ name }) => name === 'example')!.events)
    .replaceAll('"path":"./src"', '"path":"./src","client_secret":"hunter2"')
    .replaceAll('index.ts\\nutils.ts', JSON.stringify(JSON.stringify({ refreshToken: 'hunter3' })).slice(1, -1))
    .replaceAll('里有什么', token);
  const secret = foldHubEvents(JSON.parse(events) as Parameters<typeof foldHubEvents>[0])!;

  for (const document of [exportSessionMarkdown(secret), exportSessionJson(secret)]) {
    expect(document).toContain('[GITHUB_TOKEN_REDACTED]');
    expect(document).toContain('"client_secret": "[REDACTED]"');
    expect(document).toMatch(/refreshToken\\*":\\*"\[REDACTED\]/);
    expect(document).not.toMatch(/hunter|aB3aB3/);
  }
  expect(JSON.parse(exportSessionJson(secret))).toMatchObject({ format: 'dragoman-session' });
});

test.each([sessionMarkdown, sessionJson])('others get a turn after every message of an export: %o', (write) => {
  const view = foldHubEvents(goldenSessions.find(({ name }) => name === 'example')!.events)!;
  let looks = 0;
  let mostLooks = 0;
  const messages = Array.from({ length: 100 }, () => ({ ...view.messages[0]! }));
  for (const message of messages)
    Object.defineProperty(message, 'id', {
      enumerable: true,
      get: () => ((mostLooks = Math.max(mostLooks, (looks += 1))), 'msg_1'),
    });
  let pieces = 0;
  for (const _ of write({ ...view, messages })) {
    looks = 0;
    pieces += 1;
  }

  expect(pieces).toBeGreaterThan(100);
  expect(mostLooks).toBe(1);
});
