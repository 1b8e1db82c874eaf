import { writeFileSync } from 'node:fs';
import { configSchemaDocument } from '@dragoman/server';
import { dragomanConfigSchema } from '../packages/cli/src/rooms.ts';

/** Publishes the configuration's schema. A test fails while it is out of date. */
const file = new URL('../packages/cli/dragoman.schema.json', import.meta.url);
writeFileSync(file, `${JSON.stringify(configSchemaDocument(dragomanConfigSchema), null, 2)}\n`);
