import { editEnv } from './edit-env.ts';
import { editJson } from './edit-json.ts';
import { editToml } from './edit-toml.ts';
import { editYaml } from './edit-yaml.ts';
import type { FileEdit } from './file-edit.ts';

/** A text with one change. Everything else of it stays to the letter. Throws where the text is not what its format asks for. */
export function editText(text: string, edit: FileEdit, file: string): string {
  switch (edit.format) {
    case 'json':
      return editJson(text, edit, file);
    case 'toml':
      return editToml(text, edit, file);
    case 'yaml':
      return editYaml(text, edit, file);
    case 'env':
      return editEnv(text, edit, file);
  }
}
