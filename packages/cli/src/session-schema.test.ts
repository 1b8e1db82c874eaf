import { readFileSync } from 'node:fs';
import { sessionSchemaDocument } from '@dragoman/protocol/schemas';
import { expect, test } from 'vitest';

test('the published schema of messages and events is the one the program uses [NFR-04]', () => {
  const published: unknown = JSON.parse(
    readFileSync(new URL('../../protocol/session.schema.json', import.meta.url), 'utf8'),
  );
  expect(published, 'run: npm run schema').toEqual(JSON.parse(JSON.stringify(sessionSchemaDocument())));
});
