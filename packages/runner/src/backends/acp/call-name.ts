import { type Fields, fieldsIn, textIn } from '../../backend/fields.ts';

/** The tool's name: told, or the first title where that is one word and no command; else what kind of work it is. */
export function callName({ name, told }: { name: string; told: Fields }): string {
  const given = toldName(told);
  if (given !== undefined) return given;
  if (name !== '') return name;
  const title = textIn(told, 'title') ?? '';
  const isCommand = fieldsIn(told, 'rawInput')['command'] === title;
  if (/^[a-z][\w-]{0,63}$/i.test(title) && !isCommand) return title;
  return textIn(told, 'kind') ?? 'tool';
}

/** Where an agent tells it: as a field of the protocol, or as one maker does. */
function toldName(told: Fields): string | undefined {
  const meta = fieldsIn(told, '_meta');
  return textIn(told, 'name') ?? textIn(fieldsIn(meta, 'claudeCode'), 'toolName') ?? textIn(meta, 'toolName');
}
