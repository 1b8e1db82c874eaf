import { renameSync, symlinkSync } from 'node:fs';
import type { PermissionSubject } from '@dragoman/protocol';
import { expect, test } from 'vitest';
import { ToolError } from '../tool.ts';
import { permittedPath, stillPermitted } from './permitted-path.ts';
import { paths, project } from './project.fixture.ts';

/** A project in which only these paths are permitted, and what was asked. */
function permitting(...allowed: string[]) {
  const place = project({ 'src/a.txt': '', 'docs/a.txt': '' });
  const asked: (readonly [PermissionSubject[], string | undefined])[] = [];
  const known = new Set(allowed);
  const context = place.context({
    isPermitted: (subjects) => subjects.every(({ value }) => known.has(value)),
    ask: async (subjects, reason) => {
      asked.push([subjects, reason]);
      for (const { value } of subjects) known.add(value);
    },
  });
  return { ...place, asked, context };
}

test('a path that leads where it led is not asked about again', async () => {
  const { context, path, asked } = permitting('src/a.txt');

  expect((await permittedPath(context, 'src/a.txt')).real).toBe(path('src/a.txt'));
  expect(asked).toEqual([]);
});

test('a path that leads elsewhere is asked about under both names', async () => {
  const { context, path, asked } = permitting('src/a.txt');
  renameSync(path('src'), path('old'));
  symlinkSync('docs', path('src'));

  expect((await permittedPath(context, 'src/a.txt')).real).toBe(path('docs/a.txt'));
  expect(asked).toEqual([
    [
      paths('docs/a.txt', 'src/a.txt'),
      'Something was moved or linked since this call was permitted: it would touch docs/a.txt, src/a.txt now.',
    ],
  ]);
});

test('where that is refused nothing is resolved', async () => {
  const { context } = permitting();
  const refusing = { ...context, ask: () => Promise.reject(new ToolError('Nobody can be asked here.')) };

  await expect(permittedPath(refusing, 'src/a.txt')).rejects.toThrow('Nobody can be asked here.');
  expect(() => stillPermitted(refusing, 'src/a.txt')).toThrow(
    'src/a.txt was moved or linked elsewhere while this call ran; nothing was done.',
  );
});

test('a path that moves with every question is given up', async () => {
  const { context, asked } = permitting();
  const moving = { ...context, isPermitted: () => false };

  await expect(permittedPath(moving, 'src/a.txt')).rejects.toThrow(
    'The files of this call were moved again and again while it waited, so it was not run.',
  );
  expect(asked).toHaveLength(3);
});
