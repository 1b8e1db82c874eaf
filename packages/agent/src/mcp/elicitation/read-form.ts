import { soundsSecret } from '@dragoman/protocol/secrets';
import type { ElicitRequestFormParams } from '@modelcontextprotocol/client';
import { type FormField, formField } from './form-field.ts';

const MAX_FIELDS = 20;
const MAX_CHOICES = 50;
const MAX_CHOICE_CHARS = 300;

/** The fields that a person is asked for, or why the form cannot be put to anybody. */
export type ReadForm = { fields: FormField[] } | { problem: string };

/**
 * Reads what a server wants to know.
 *
 * What is answered is kept in the session and seen by everybody who sees that, so no secret is asked for: the protocol
 * has servers send people to an address for those.
 */
export function readForm({ properties, required = [] }: ElicitRequestFormParams['requestedSchema']): ReadForm {
  const all = Object.entries(properties);
  if (all.length > MAX_FIELDS)
    return { problem: `it wants a form of ${all.length} fields, and ${MAX_FIELDS} are taken` };
  const fields = all.map(([name, schema]) => formField(name, schema, required.includes(name)));
  const secret = fields.find((field) => field.isRequired && isSecret(field));
  if (secret !== undefined)
    return {
      problem: `it asked for a secret (${JSON.stringify(secret.name.slice(0, 100))}), which is not answered here`,
    };
  const long = fields.find(
    ({ choices }) => choices.length > MAX_CHOICES || choices.some(({ name }) => name.length > MAX_CHOICE_CHARS),
  );
  if (long !== undefined)
    return {
      problem: `its field ${JSON.stringify(long.name.slice(0, 100))} has more to choose from than fits a question`,
    };
  return { fields: fields.filter((field) => !isSecret(field)) };
}

function isSecret({ name, label, kind }: FormField): boolean {
  return kind === 'text' && (soundsSecret(name) || soundsSecret(label));
}
