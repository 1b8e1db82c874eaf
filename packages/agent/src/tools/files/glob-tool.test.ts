import { chmodSync, mkdirSync, symlinkSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { paths, project } from './project.fixture.ts';

describe('glob', () => {
  test('files are found by a pattern, the newest first [FR-32]', async () => {
    const { call, path } = project({ 'src/old.ts': '', 'src/new.ts': '', 'src/x.js': '', 'middle.ts': '' });
    utimesSync(path('src/old.ts'), 1000, 1000);
    utimesSync(path('middle.ts'), 2000, 2000);
    utimesSync(path('src/new.ts'), 3000, 3000);

    expect(await call('glob', { pattern: '**/*.ts' })).toEqual({
      title: '**/*.ts',
      output: 'src/new.ts\nmiddle.ts\nsrc/old.ts',
      metadata: { count: 3, hasMore: false },
      isBounded: true,
    });
    expect((await call('glob', { pattern: 'src/*' })).output.split('\n').toSorted()).toEqual([
      'src/new.ts',
      'src/old.ts',
      'src/x.js',
    ]);
  });

  test('ignored files are left out, also by a pattern for everything, and hidden ones are not; git is not looked into', async () => {
    const { call } = project({
      '.gitignore': 'dist\n*.log\n',
      '.hidden/a.ts': '',
      '.git/config.ts': '',
      'dist/a.ts': '',
      'debug.log': '',
      'src/a.ts': '',
    });
    const found = async (pattern: string, path?: string) =>
      (await call('glob', { pattern, path })).output.split('\n').toSorted();

    expect(await found('**/*')).toEqual(['.gitignore', '.hidden/a.ts', 'src/a.ts']);
    expect(await found('*.ts')).toEqual(['.hidden/a.ts', 'src/a.ts']);
    expect(await found('*.log')).toEqual(['No files found.']);
    // A folder that is named itself is meant.
    expect(await found('dist/*.ts')).toEqual(['dist/a.ts']);
    expect(await found('*.ts', 'dist')).toEqual(['dist/a.ts']);
  });

  test('paths are told from the working folder, wherever the search begins', async () => {
    const { call, root, subjects } = project({ 'a/b/c.ts': '', 'd.ts': '' });
    const cwd = join(root, 'a');

    expect((await call('glob', { pattern: '*.ts' }, { cwd })).output).toBe('b/c.ts');
    expect((await call('glob', { pattern: 'd.ts', path: '..' }, { cwd })).output).toBe(join(root, 'd.ts'));
    expect((await call('glob', { pattern: `${root}/*.ts` }, { cwd })).output).toBe(join(root, 'd.ts'));
    expect((await call('glob', { pattern: 'nowhere/*.ts' })).output).toBe('No files found.');
    expect(await subjects('glob', { pattern: '*.ts' })).toEqual(paths('.'));
    expect(await subjects('glob', { pattern: 'a/**/*.ts' })).toEqual(paths('a'));
    expect(await subjects('glob', { pattern: '/etc/*.conf' })).toEqual(paths('/etc'));
    expect(await subjects('glob', { pattern: '../*.conf' })).toEqual(paths(join(root, '..')));
  });

  test('100 files are the most, and it is told when there are more', async () => {
    const { call, put } = project();
    for (let number = 0; number < 100; number++) put(`${number}.txt`, '');
    const all = await call('glob', { pattern: '*.txt' });
    put('100.txt', '');
    const cut = await call('glob', { pattern: '*.txt' });

    expect([all.output.split('\n').length, all.metadata]).toEqual([100, { count: 100, hasMore: false }]);
    expect(cut.output.split('\n').at(-1)).toBe(
      '(Only the 100 newest are shown; there are more. Make the pattern or the path narrower.)',
    );
    expect(cut.metadata).toEqual({ count: 100, hasMore: true });
  });

  test('a folder that is not there, or is a file, is told so', async () => {
    const { call } = project({ 'source/a.ts': '' });

    await expect(call('glob', { pattern: '*', path: 'sorce' })).rejects.toThrow('Did you mean source?');
    await expect(call('glob', { pattern: '*', path: 'source/a.ts' })).rejects.toThrow('source/a.ts is a file');
    await expect(call('glob', { pattern: '*', path: '/dev/null' })).rejects.toThrow('is neither a folder nor a file.');
  });
});

describe('the program behind it', () => {
  function fake(script: string) {
    const { put, path } = project({});
    put('rg', `#!/bin/sh\n${script}\n`);
    chmodSync(path('rg'), 0o755);
    return path('rg');
  }

  test('is ended when the call is called off, before or while it runs', async () => {
    const controller = new AbortController();
    const { call } = project(
      {},
      {
        ripgrepPath: fake('printf "./a.txt\\0003:hit\\n"; exec sleep 60'),
        // It is called off as soon as it has found something.
        readAction: () => {
          controller.abort();
          return 'allow';
        },
      },
    );

    await expect(call('grep', { pattern: 'x' }, { abort: controller.signal })).rejects.toThrow(
      'The search was cancelled.',
    );
    await expect(call('glob', { pattern: '*' }, { abort: controller.signal })).rejects.toThrow('was cancelled');
  });

  test('is ended when its time is up, and what it found stays', async () => {
    const limit = new AbortController();
    const found = project(
      {},
      {
        ripgrepPath: fake('printf "./a.txt\\0003:hit\\n"; exec sleep 60'),
        timeLimit: () => limit.signal,
        // Its time is up as soon as it has found something.
        readAction: () => {
          limit.abort();
          return 'allow';
        },
      },
    );
    expect((await found.call('grep', { pattern: 'hit' })).output).toBe(
      'a.txt\n3: hit\n\n(The search was stopped after 30 s; there may be more.)',
    );

    const silent = project({}, { ripgrepPath: fake('exec sleep 60'), timeLimit: () => AbortSignal.timeout(1) });
    await expect(silent.call('grep', { pattern: 'hit' })).rejects.toThrow('found nothing until then');
    await expect(silent.call('glob', { pattern: '*.zzz' })).rejects.toThrow(
      'The search for *.zzz took longer than 30 s. Name the folder more closely with path.',
    );
  });

  test.runIf(process.platform === 'linux')('has no memory for an ignore file without an end', async () => {
    const { call, path } = project({ 'a.txt': 'hit\n' });
    symlinkSync('/dev/zero', path('.gitignore'));

    await expect(call('grep', { pattern: 'hit' })).rejects.toThrow(
      'The search used too much memory; a .gitignore or .ignore of the project may be too large.',
    );
  });

  test('may be missing or fail, and that is told', async () => {
    const missing = project({}, { ripgrepPath: '/nowhere/rg' });
    const broken = project({}, { ripgrepPath: fake('exit 7') });

    await expect(missing.call('glob', { pattern: '*' })).rejects.toThrow(
      'could not be started: there is no such program',
    );
    await expect(broken.call('glob', { pattern: '*' })).rejects.toThrow('ripgrep ended with code 7.');
  });

  test('takes no settings from elsewhere', async () => {
    const { call, path, put } = project({ 'a.txt': 'hit' });
    mkdirSync(path('conf'));
    put('conf/rc', '--glob=!*.txt\n');
    process.env['RIPGREP_CONFIG_PATH'] = path('conf/rc');
    try {
      expect((await call('grep', { pattern: 'hit' })).output).toBe('a.txt\n1: hit');
    } finally {
      delete process.env['RIPGREP_CONFIG_PATH'];
    }
  });
});
