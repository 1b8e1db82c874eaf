import { readFileSync, writeFileSync } from 'node:fs';
import { TABLE_FILE, withRequirementsTable } from './requirements-table.ts';

/** Brings the table of the agent's README up to date. */
writeFileSync(TABLE_FILE, withRequirementsTable(readFileSync(TABLE_FILE, 'utf8')));
