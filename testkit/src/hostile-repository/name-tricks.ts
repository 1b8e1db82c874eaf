import { mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Trick } from './trick.ts';

const repository = 'a clone with strange names';

/** Names and sizes that programs stumble over. */
export const NAME_TRICKS: readonly Trick[] = [
  {
    name: 'name-is-a-command',
    tries: 'names of files are commands and options',
    repository,
    write({ root, mark }) {
      mkdirSync(join(root, 'names'));
      const slash = mark.replaceAll('/', '∕');
      for (const name of [
        `$(touch ${slash})`,
        `;touch x;.ts`,
        '`id`.ts',
        '-rf',
        '--output=x.ts',
        "a'b.ts",
        'a"b.ts',
        '|sh',
        '*',
        ' ',
        '~',
        '%s%n',
        '@.env',
      ])
        writeFileSync(join(root, 'names', name), 'text\n');
    },
    calls: () => [
      ['glob', { pattern: 'names/*' }],
      ['grep', { pattern: 'text', path: 'names' }],
      ['bash', { command: 'ls names' }],
      ['bash', { command: 'ls -la names/' }],
      ['bash', { command: 'git status names' }],
    ],
  },
  {
    name: 'name-is-a-picture',
    tries: 'names hold new lines, signs for the terminal, signs of other scripts and bytes that are no text',
    repository,
    write({ root }) {
      mkdirSync(join(root, 'signs'));
      const names = [
        'two\nlines.ts',
        '\u001B]0;title\u0007.ts',
        '\u001B[2J.ts',
        'a\u202Etxt.exe',
        'CON',
        'aux.c',
        'README.md',
        'readme.md',
        'x'.repeat(250),
      ];
      for (const name of names) writeFileSync(join(root, 'signs', name), 'export const signs = 1;\n');
      writeFileSync(
        Buffer.concat([Buffer.from(join(root, 'signs/')), Buffer.from([0xff, 0xfe, 0x2e, 0x74, 0x73])]),
        'bytes\n',
      );
    },
    calls: () => [
      ['glob', { pattern: 'signs/**' }],
      ['grep', { pattern: 'signs', path: 'signs' }],
      ['bash', { command: 'ls signs' }],
    ],
  },
  {
    name: 'almost-git',
    tries: 'folders are called nearly like the folder of git',
    repository,
    after({ write, program }) {
      const config = `[core]\n\tfsmonitor = ./${program()}\n`;
      write({ '.GIT/config': config, 'git~1/config': config, '.git /config': config, '.gi\u200Ct/config': config });
    },
    calls: () => [
      ['bash', { command: 'git status' }],
      ['bash', { command: 'git diff' }],
      ['glob', { pattern: '**/config' }],
    ],
  },
  {
    name: 'deep-folders',
    tries: 'folders lie a hundred deep',
    repository,
    write: ({ write }) => write({ [`${'d/'.repeat(100)}deep.ts`]: 'export const deep = 1;\n' }),
    calls: () => [
      ['glob', { pattern: 'd/**/deep.ts' }],
      ['grep', { pattern: 'deep', path: 'd' }],
    ],
  },
  {
    name: 'large-files',
    tries: 'a source file has no end, one line is all there is, and a small file unpacks to much',
    repository,
    write: ({ write }) =>
      write({
        'large/line.ts': `export const line = '${'x'.repeat(300_000)}';\n`,
        'large/bomb.json.gz': gzipSync(Buffer.alloc(20_000_000)),
        'large/nested.json': '['.repeat(100_000),
      }),
    after({ root }) {
      writeFileSync(join(root, 'large/huge.ts'), '');
      truncateSync(join(root, 'large/huge.ts'), 200_000_000);
    },
    calls: () => [
      ['read', { filePath: 'large/line.ts' }],
      ['read', { filePath: 'large/bomb.json.gz' }],
      ['read', { filePath: 'large/nested.json' }],
      ['grep', { pattern: 'line', path: 'large' }],
    ],
  },
];
