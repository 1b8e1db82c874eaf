import { expect, test } from 'vitest';
import { placeOfModule } from '../../scripts/place-of-module.ts';

test('a module of ours has its place in the checkout; one of a package or of the bundler has none', () => {
  expect(placeOfModule('/code/ours/', '/code/ours/packages/cli/src/main.ts')).toBe('packages/cli/src/main.ts');
  expect(placeOfModule('/code/ours/', '/code/ours/node_modules/zod/index.js')).toBeUndefined();
  expect(placeOfModule('/code/ours/', '/elsewhere/node_modules/zod/index.js')).toBeUndefined();
  expect(placeOfModule('/code/ours/', '\0rolldown/runtime.js')).toBeUndefined();
});

test.each(['/code/theirs/packages/cli/src/main.ts', '/code/ours-too/packages/a.ts', '/store/zod@4/index.js'])(
  'a module that is somewhere else is refused by its name: %s',
  (id) => {
    expect(() => placeOfModule('/code/ours/', id)).toThrow(
      `${id} is not in the checkout /code/ours/: /code/ours/node_modules leads to another one. Remove it, run "npm ci" here, and pack again.`,
    );
  },
);
