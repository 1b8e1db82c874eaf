import { readFileSync } from 'node:fs';
import { configSchemaDocument } from '@dragoman/server';
import { expect, test } from 'vitest';
import { dragomanConfigSchema } from './rooms.ts';

test('the published schema is the one the program checks with (npm run schema writes it)', () => {
  const published: unknown = JSON.parse(readFileSync(new URL('../dragoman.schema.json', import.meta.url), 'utf8'));

  expect(published).toEqual(configSchemaDocument(dragomanConfigSchema));
});
