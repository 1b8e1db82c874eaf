import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { sessionSchemaDocument } from './session-schema-document.ts';

test('the published schema of messages and events is the one the program uses [NFR-04]', () => {
  const published: unknown = JSON.parse(readFileSync(new URL('../../session.schema.json', import.meta.url), 'utf8'));
  expect(published, 'run: npm run schema').toEqual(JSON.parse(JSON.stringify(sessionSchemaDocument())));
});
