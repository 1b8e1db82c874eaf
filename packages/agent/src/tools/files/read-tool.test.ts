import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, symlinkSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { paths, project } from './project.fixture.ts';

const numbered = (count: number, from = 1) => Array.from({ length: count }, (_, index) => `line ${from + index}`);

describe('text', () => {
  test('a file is shown with line numbers, and the call is titled by its path [FR-32]', async () => {
    const { call } = project({ 'src/a.ts': 'one\n\ttwo\n\nfour\n' });

    expect(await call('read', { filePath: 'src/a.ts' })).toEqual({
      title: 'src/a.ts',
      output: '1\tone\n2\t\ttwo\n3\t\n4\tfour',
      metadata: { from: 1, to: 4, hasMore: false },
      isBounded: true,
    });
  });

  test('offset and limit choose lines, and what is left out is said with how to go on [FR-32]', async () => {
    const { call } = project({ 'a.txt': numbered(10).join('\n') });
    const output = async (input: object) => (await call('read', { filePath: 'a.txt', ...input })).output;

    expect(await output({ offset: 3, limit: 2 })).toBe(
      '3\tline 3\n4\tline 4\n(Lines 3 to 4 of 10. Read on with offset 5.)',
    );
    expect(await output({ offset: 9, limit: 2 })).toBe('9\tline 9\n10\tline 10\n(The file ends with line 10.)');
    expect(await output({ offset: 0, limit: 1 })).toBe('1\tline 1\n(Lines 1 to 1 of 10. Read on with offset 2.)');
    await expect(output({ offset: 11 })).rejects.toThrow('a.txt has 10 lines; offset 11 is after its end.');
  });

  test('2,000 lines, 2,000 characters of a line and 50 KB are the most', async () => {
    const { call } = project({
      'many.txt': numbered(2500).join('\n'),
      'long.txt': `${'x'.repeat(5000)}\nend\n`,
      'big.txt': Array.from({ length: 100 }, () => 'y'.repeat(999)).join('\n'),
    });
    const output = async (filePath: string, limit?: number) => (await call('read', { filePath, limit })).output;

    expect((await output('many.txt', 9999)).split('\n').slice(1999)).toEqual([
      '2000\tline 2000',
      '(Lines 1 to 2000 of 2500. Read on with offset 2001.)',
    ]);
    expect(await output('long.txt')).toBe(`1\t${'x'.repeat(2000)} [cut: the line has 5000 characters]\n2\tend`);
    const big = await output('big.txt');
    expect(big.endsWith('\n(Lines 1 to 51 of 100, 50 KB at most. Read on with offset 52.)')).toBe(true);
  });

  test('a byte order mark, UTF-16 and CRLF are not seen', async () => {
    const { call } = project({
      'bom.txt': '\uFEFFone\r\ntwo\r\n',
      'le.txt': Buffer.from('\uFEFFone\r\nzwölf', 'utf16le'),
      'be.txt': Buffer.from('\uFEFFone\r\nzwölf', 'utf16le').swap16(),
      'old.txt': Buffer.from('zw\xf6lf\n', 'latin1'),
    });
    const output = async (filePath: string) => (await call('read', { filePath })).output;

    expect(await output('bom.txt')).toBe('1\tone\n2\ttwo');
    expect(await output('le.txt')).toBe('1\tone\n2\tzwölf');
    expect(await output('be.txt')).toBe('1\tone\n2\tzwölf');
    expect(await output('old.txt')).toBe('1\tzwölf\n(Not in UTF-8: letters beyond ASCII may be shown wrongly.)');
  });

  test('a large file is read in pieces, in every encoding', async () => {
    const text = numbered(40_000)
      .map((line) => `${line} grüße 😀`)
      .join('\r\n');
    const { call } = project({
      'utf8.txt': text,
      'bom.txt': `\uFEFF${text}`,
      'le.txt': Buffer.from(`\uFEFF${text}`, 'utf16le'),
      'be.txt': Buffer.from(`\uFEFF${text}`, 'utf16le').swap16(),
    });
    for (const filePath of ['utf8.txt', 'bom.txt', 'le.txt', 'be.txt']) {
      expect((await call('read', { filePath, limit: 1 })).output).toBe(
        '1\tline 1 grüße 😀\n(Lines 1 to 1. Read on with offset 2.)',
      );
      expect((await call('read', { filePath, offset: 39_999 })).output).toBe(
        '39999\tline 39999 grüße 😀\n40000\tline 40000 grüße 😀\n(The file ends with line 40000.)',
      );
    }
    await expect(call('read', { filePath: 'utf8.txt', offset: 50_000 })).rejects.toThrow('has 40000 lines');
  });

  test('of a log of many gigabytes only the beginning is read', async () => {
    const { call, path, put } = project();
    put('huge.log', `${numbered(70_000).join('\n')}\n`);
    truncateSync(path('huge.log'), 50 * 1024 ** 3);

    expect((await call('read', { filePath: 'huge.log', limit: 2 })).output).toBe(
      '1\tline 1\n2\tline 2\n(Lines 1 to 2. Read on with offset 3.)',
    );
  });

  test('reading a large file stops when it is called off', async () => {
    const { call } = project({ 'big.txt': 'x\n'.repeat(400_000) });
    const abort = AbortSignal.abort();

    await expect(call('read', { filePath: 'big.txt', offset: 399_000 }, { abort })).rejects.toThrow(
      'Reading big.txt was cancelled.',
    );
  });

  test('an empty file is told to be empty', async () => {
    const { call } = project({ 'empty.txt': '' });
    expect((await call('read', { filePath: 'empty.txt' })).output).toBe('(The file is empty.)');
  });
});

describe('other things', () => {
  test('a folder is listed, folders with a slash, and in pieces when asked so [FR-32]', async () => {
    const { call, path } = project({ 'b.txt': '', 'a/x.ts': '', '.env': '' });
    mkdirSync(path('empty'));
    symlinkSync('a', path('link'));
    symlinkSync('nowhere', path('broken'));

    expect((await call('read', { filePath: '.' })).output).toBe('.env\na/\nb.txt\nbroken\nempty/\nlink/');
    expect((await call('read', { filePath: 'empty' })).output).toBe('(The folder is empty.)');
    expect((await call('read', { filePath: '.', offset: 2, limit: 2 })).output).toBe(
      'a/\nb.txt\n(Entries 2 to 3 of 6. Read on with offset 4.)',
    );
  });

  test.each([
    ['shot.png', 'image/png', Buffer.from('\x89PNG\r\n\x1a\n1234', 'latin1')],
    ['photo.jpg', 'image/jpeg', Buffer.from('\xff\xd8\xff\xe01234', 'latin1')],
    ['move.gif', 'image/gif', Buffer.from('GIF89a1234', 'latin1')],
    ['new.webp', 'image/webp', Buffer.from('RIFF\0\0\0\0WEBPVP8 ', 'latin1')],
    ['paper.pdf', 'application/pdf', Buffer.from('%PDF-1.7\n%\xe2\xe3', 'latin1')],
  ])('%s becomes an attachment of type %s [FR-32]', async (filePath, mime, bytes) => {
    const { call } = project({ [filePath]: bytes });

    const result = await call('read', { filePath });
    expect(result.output).toBe(`${filePath} (${mime}, ${bytes.length} bytes) is attached.`);
    expect(result.attachments).toEqual([
      {
        mime,
        filename: filePath,
        url: `data:${mime};base64,${bytes.toString('base64')}`,
        source: { type: 'file', path: filePath },
      },
    ]);
  });

  test('an image is known by its bytes, and one above 10 MB is refused with its size', async () => {
    const { call, put, path } = project({ 'text.png': 'not an image' });
    put('large.png', Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'));
    truncateSync(path('large.png'), 10 * 1024 * 1024 + 1);

    expect((await call('read', { filePath: 'text.png' })).output).toBe('1\tnot an image');
    await expect(call('read', { filePath: 'large.png' })).rejects.toThrow(
      'large.png (image/png) is 10485761 bytes; up to 10485760 can be shown.',
    );
  });

  test('binary files are refused with their size, small or large', async () => {
    const { call, put, path } = project({ 'a.bin': Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 0, 1]) });
    put('b.bin', Buffer.from([0, 1]));
    truncateSync(path('b.bin'), 1_000_000);

    await expect(call('read', { filePath: 'a.bin' })).rejects.toThrow('a.bin is binary (7 bytes) and cannot be shown');
    await expect(call('read', { filePath: 'b.bin' })).rejects.toThrow('b.bin is binary (1000000 bytes)');
  });

  test('pipes and devices are refused without waiting for them', async () => {
    const { call, path } = project();
    execFileSync('mkfifo', [path('pipe')]);

    for (const filePath of ['pipe', '/dev/zero', '/dev/stdin'])
      await expect(call('read', { filePath })).rejects.toThrow('is a device, a pipe or a socket, and cannot be read.');
  });

  test.skipIf(process.platform !== 'linux')('a file that has no size but content is read (needs Linux)', async () => {
    const { call } = project();
    expect((await call('read', { filePath: '/proc/version' })).output).toMatch(/^1\tLinux version/);
  });
});

describe('what is not there', () => {
  test('a missing file is told with names that are near [FR-32]', async () => {
    const { call, root } = project({ 'src/read-tool.ts': '', 'src/write-tool.ts': '', 'src/zebra.ts': '' });

    await expect(call('read', { filePath: 'src/readtool.ts' })).rejects.toThrow(
      'src/readtool.ts does not exist. Did you mean src/read-tool.ts?',
    );
    await expect(call('read', { filePath: 'src/Xylophone.md' })).rejects.toThrow(
      'src/Xylophone.md does not exist. Look for it with glob.',
    );
    await expect(call('read', { filePath: 'lib/deep/a.ts' })).rejects.toThrow(
      `lib/deep/a.ts does not exist, nor does its folder; the nearest folder that does is ${root}.`,
    );
    await expect(call('read', { filePath: 'src/zebra.ts/x' })).rejects.toThrow(
      'src/zebra.ts/x is below something that is not a folder.',
    );
  });

  test.skipIf(process.getuid?.() === 0)('a file that the system denies is told so (not as root)', async () => {
    const { call, path } = project({ 'a.txt': 'x' });
    chmodSync(path('a.txt'), 0);
    await expect(call('read', { filePath: 'a.txt' })).rejects.toThrow('a.txt may not be touched');
  });
});

describe('permissions', () => {
  test('the file is the subject, and folders that are always readable need none', async () => {
    const spill = project({ 'out/1.txt': 'all of it' });
    const { root, call, subjects } = project({ 'a.txt': '' }, { alwaysReadable: () => [spill.path('out')] });

    expect(await subjects('read', { filePath: 'a.txt' })).toEqual(paths('a.txt'));
    expect(await subjects('read', { filePath: join(root, '../x') })).toEqual(paths(join(root, '../x')));
    expect(await subjects('read', { filePath: spill.path('out/1.txt') })).toEqual([]);
    expect((await call('read', { filePath: spill.path('out/1.txt') })).output).toBe('1\tall of it');
    // A link in such a folder leads where it leads.
    symlinkSync('/etc/hostname', spill.path('out/link'));
    expect(await subjects('read', { filePath: spill.path('out/link') })).toContainEqual(paths('/etc/hostname')[0]);
    expect(await subjects('grep', { pattern: 'x', path: spill.path('out') })).toEqual([]);
    expect(await subjects('glob', { pattern: '*', path: spill.path('out') })).toEqual([]);
  });
});
