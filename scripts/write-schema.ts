import { writeFileSync } from 'node:fs';
import { sessionSchemaDocument } from '@dragoman/protocol/schemas';
import { configSchemaDocument } from '@dragoman/server';
import { dragomanConfigSchema } from '../packages/cli/src/rooms.ts';

/** Publishes the schemas of the configuration, and of messages and events. Tests fail while they are out of date. */
write('../packages/cli/dragoman.schema.json', configSchemaDocument(dragomanConfigSchema));
write('../packages/protocol/session.schema.json', sessionSchemaDocument());

function write(path: string, document: unknown): void {
  writeFileSync(new URL(path, import.meta.url), `${JSON.stringify(document, null, 2)}\n`);
}
