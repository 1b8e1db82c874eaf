import { writeFileSync } from 'node:fs';
import { sessionSchemaDocument, uapSchemaDocument } from '@dragoman/protocol/schemas';
import { configSchemaDocument } from '@dragoman/server';
import { dragomanConfigSchema } from '../packages/cli/src/rooms.ts';

/** Publishes the schemas of the configuration, of messages and events, and of the agent protocol. Tests fail while they are out of date. */
write('../packages/cli/dragoman.schema.json', configSchemaDocument(dragomanConfigSchema));
write('../packages/protocol/session.schema.json', sessionSchemaDocument());
write('../packages/protocol/uap.schema.json', uapSchemaDocument());

function write(path: string, document: unknown): void {
  writeFileSync(new URL(path, import.meta.url), `${JSON.stringify(document, null, 2)}\n`);
}
