import { readFileSync } from 'node:fs';

/** What every program here is given: where Dragoman is, a token for it, and what to ask. */
export const { DRAGOMAN_URL: url, DRAGOMAN_TOKEN: token, PROMPT: prompt } = process.env;

export const DESCRIPTION = 'Reads a file.';
export const PARAMETERS = {
  type: 'object',
  properties: { path: { type: 'string', description: 'The name of the file.' } },
  required: ['path'],
  additionalProperties: false,
};

/** The tool that each of them offers as `read_file`. */
export function readFile({ path }) {
  return readFileSync(path, 'utf8');
}
