import { parseJsoncDocument } from '@dragoman/server/base';
import { parseDocument } from 'yaml';
import type { FileEdit } from './file-edit.ts';
import { tomlStatements } from './toml-statements.ts';

/** Whether a text is what its format asks for. */
export function isReadable(format: FileEdit['format'], text: string): boolean {
  switch (format) {
    case 'json':
      return parseJsoncDocument(text, '').problems.length === 0;
    case 'toml':
      return Array.isArray(tomlStatements(text));
    case 'yaml':
      return parseDocument(text).errors.length === 0;
    case 'env':
      return true;
  }
}
