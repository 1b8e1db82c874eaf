import { compilePermissions, unreadableCommand } from '@dragoman/protocol';
import { expect, test } from 'vitest';
import { sentenceInChinese } from './server-sentences.ts';

const permissions = compilePermissions([
  { tool: '*', pattern: '*', action: 'ask', origin: 'defaults' },
  { tool: 'bash', pattern: 'rm *', action: 'deny', origin: 'dragoman.json' },
]);
const nothing = compilePermissions([]);

function reasonOf(from: typeof permissions, kind: 'command' | 'path', value: string): string {
  return sentenceInChinese(
    from.decide({ tool: kind === 'path' ? 'edit' : 'bash', subjects: [{ kind, value }] }).reason,
  );
}

test('why a call is asked about is said in Chinese, the command and the rule as they are', () => {
  expect([
    reasonOf(permissions, 'command', 'echo "a" because of the rule x'),
    reasonOf(permissions, 'command', 'rm -r build'),
    reasonOf(permissions, 'command', unreadableCommand('eval "$X"')),
    reasonOf(nothing, 'path', 'src/a.ts'),
    sentenceInChinese(nothing.decide({ tool: 'x', subjects: [] }).reason),
  ]).toEqual([
    '命令默认需要批准。',
    '"bash"（命令 "rm -r build"）被拒绝，依据规则 "bash": { "rm *": "deny" }（dragoman.json）。',
    '命令默认需要批准。',
    '需要批准，因为没有规则涉及 "edit"（路径 "src/a.ts"）。',
    '需要批准，因为没有规则涉及 "x"。',
  ]);
});

test('why a call is asked about that a rule seems to allow is said in Chinese', () => {
  const git = compilePermissions([
    { tool: 'bash', pattern: 'git *', action: 'allow', origin: 'dragoman.json', layer: 1 },
    { tool: 'bash', pattern: 'rm *', action: 'deny', origin: 'dragoman.json', layer: 1 },
    { tool: 'bash', pattern: '*', action: 'allow', origin: 'defaults', layer: 0 },
  ]);
  const subject = { kind: 'command', value: 'ls', beyondDefaults: 'the repository sets diff.external' } as const;

  expect([
    reasonOf(git, 'command', unreadableCommand('$X')),
    sentenceInChinese(git.decide({ tool: 'bash', subjects: [subject] }).reason),
    reasonOf(
      compilePermissions([{ tool: 'bash', pattern: 'git *', action: 'allow', origin: 'x', layer: 1 }]),
      'command',
      'git -c a=b log',
    ),
  ]).toEqual([
    '需要批准，因为它可能绕过一条拒绝规则。',
    '需要批准，因为仓库设置了 diff.external。',
    '需要批准，因为 "-c" 可以运行别的程序。',
  ]);
});

test('why a turn ended, what helps and what was found are said in Chinese; what is not known stays as it is', () => {
  expect(
    [
      'The model was stopped because its answer is longer than 1000000 characters.',
      'the folder /tmp/nope does not exist',
      'Say "continue", or ask for smaller steps.',
      'The conversation could not be summarized: The model returned no summary.',
      '6 stored, last used 2026-11-15 18:35',
      'running at http://127.0.0.1:4890 (process 12)',
      'running at http://127.0.0.1:4890 (process 12); paused after failures: openai/gpt-5',
      'sqlite: The database /data/dragoman.sqlite, up to date',
      '20000 words of 256 dimensions: /app/vectors.bin',
      'no problems reported',
      '/home/dragoman.json:6:15 through secret:OPENAI_API_KEY',
      'A sentence of another program.',
    ].map(sentenceInChinese),
  ).toEqual([
    '模型被停止：它的回答超过 1000000 个字符。',
    '文件夹 /tmp/nope 不存在',
    '说“继续”，或要求分成更小的步骤。',
    '对话无法生成摘要：模型没有给出摘要。',
    '保存了 6 个，最近一次使用于 2026-11-15 18:35',
    '运行于 http://127.0.0.1:4890（进程 12）',
    '运行于 http://127.0.0.1:4890（进程 12）；因失败暂停使用：openai/gpt-5',
    'sqlite：/data/dragoman.sqlite，已是最新',
    '20000 个词，256 维：/app/vectors.bin',
    '未报告问题',
    '/home/dragoman.json:6:15，经由 secret:OPENAI_API_KEY',
    'A sentence of another program.',
  ]);
});

test('where a session works after it was moved is said in Chinese, with what changed', () => {
  expect(
    [
      'Moved from desk to laptop, where it works in /code/my app.',
      'Moved from desk to laptop, where it works with chat in /code. Its worktree stays on desk, in /trees/app.',
      'Now works with chat in /code.',
      'Now works in /code.',
      'Now works with chat.',
    ].map(sentenceInChinese),
  ).toEqual([
    '已从 desk 移到 laptop，在那里的文件夹 /code/my app 中工作。',
    '已从 desk 移到 laptop，由 chat 在那里的文件夹 /code 中工作。它的工作树保留在 desk 上：/trees/app。',
    '现在由 chat 在文件夹 /code 中工作。',
    '现在在文件夹 /code 中工作。',
    '现在由 chat 继续工作。',
  ]);
});

test('what of shared settings is not in force on a server is said in Chinese', () => {
  const problem =
    'Not all settings that the servers share can be in force on this one. It keeps what it had in place of:\n  providers.p.apiKey: there is no secret named k';

  expect([problem, `one:4747: does not use all settings: ${problem}`].map(sentenceInChinese)).toEqual([
    '服务器共享的设置在本服务器上未能全部生效。以下设置仍沿用原有的值：\n  providers.p.apiKey: there is no secret named k',
    'one:4747：未使用全部设置：服务器共享的设置在本服务器上未能全部生效。以下设置仍沿用原有的值：\n  providers.p.apiKey: there is no secret named k',
  ]);
});

test('which secrets servers share is said in Chinese', () => {
  expect(
    [
      '2 shared by all servers, 1 in this data folder',
      '2 shared by all servers, 1 in this data folder; k1 in this data folder is not used',
    ].map(sentenceInChinese),
  ).toEqual([
    '所有服务器共享 2 个，此数据文件夹中有 1 个',
    '所有服务器共享 2 个，此数据文件夹中有 1 个；此数据文件夹中的 k1 未被使用',
  ]);
});
