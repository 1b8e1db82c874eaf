import type { ElicitRequestFormParams, ElicitResult } from '@modelcontextprotocol/client';
import type { Question, QuestionAnswer } from '../../question/question.ts';
import type { FieldValue, FormField } from './form-field.ts';
import { askedBy, type AskQuestion, cut, DECLINE, endOf, titleOf, wholeOf } from './put-question.ts';
import { describeField, readValue } from './read-value.ts';

const MAX_DESCRIPTION = 1_000;
/** Whoever does not get it right in so many attempts is asked no more. */
const MAX_ATTEMPTS = 5;

type Given = { value: FieldValue | undefined } | { action: 'decline' | 'cancel' };

/**
 * Puts a form to a person: one question for each field, and for a form of several a last one that shows what would be
 * sent, because people may look at their answers and change them before a server gets them.
 */
export async function askForm(
  server: string,
  { message }: Pick<ElicitRequestFormParams, 'message'>,
  fields: readonly FormField[],
  ask: AskQuestion,
): Promise<ElicitResult> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const content: Record<string, FieldValue> = {};
    for (const [index, field] of fields.entries()) {
      const place = fields.length === 1 ? '' : ` (${index + 1} of ${fields.length}: ${cut(field.label, 200)})`;
      const given = await askField({ server, message, place, field }, ask);
      if ('action' in given) return given;
      if (given.value !== undefined) content[field.name] = given.value;
    }
    if (fields.length === 1) return { action: 'accept', content };
    const answer = await ask(reviewOf(server, message, fields, content));
    if (answer.type === 'chosen' && answer.optionId === 'send') return { action: 'accept', content };
    if (answer.type !== 'chosen' || answer.optionId !== 'again') return { action: endOf(answer) };
  }
  return { action: 'cancel' };
}

interface AskedField {
  server: string;
  message: string;
  /** Which of several fields it is. */
  place: string;
  field: FormField;
}

async function askField({ server, message, place, field }: AskedField, ask: AskQuestion): Promise<Given> {
  let problem = '';
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const lines = [
      ...(problem === '' ? [] : ['The last answer was not taken.', problem]),
      ...wholeOf(message),
      ...(place === '' ? [cut(field.label, 200)] : []),
      cut(field.description, MAX_DESCRIPTION),
      describeField(field),
      askedBy(server),
    ];
    const answer = await ask({
      title: titleOf(message) + place,
      reason: [...new Set(lines)].filter((line) => line !== '').join('\n'),
      options: optionsOf(field),
      takesText: field.kind !== 'choice',
    });
    const read = readAnswer(field, answer);
    if (!('problem' in read)) return read;
    ({ problem } = read);
  }
  return { action: 'cancel' };
}

function optionsOf(field: FormField): Question['options'] {
  const { choices, isRequired, default: usual } = field;
  const isUsual = (value: unknown) => value === usual || (Array.isArray(usual) && usual.includes(String(value)));
  return [
    ...choices.map(({ value, name }, index) => ({
      id: `choice-${index}`,
      name: field.kind === 'choice' && isUsual(value) ? `${name} (usual)` : name,
    })),
    ...(usual !== undefined && field.kind !== 'choice'
      ? [{ id: 'default', name: `Use ${cut(shown(usual), 200)}` }]
      : []),
    ...(isRequired ? [] : [{ id: 'skip', name: 'Leave it out' }]),
    DECLINE,
  ];
}

function readAnswer(field: FormField, answer: QuestionAnswer): Given | { problem: string } {
  if (answer.type === 'text') return readValue(field, answer.text);
  if (answer.type !== 'chosen') return { action: endOf(answer) };
  const { optionId } = answer;
  if (optionId === 'skip') return { value: undefined };
  if (optionId === 'default') return { value: field.default };
  const chosen = field.choices.find((_choice, index) => optionId === `choice-${index}`)?.value;
  if (chosen === undefined) return { action: 'decline' };
  return field.kind === 'choices' ? readValue(field, String(chosen)) : { value: chosen };
}

function reviewOf(
  server: string,
  message: string,
  fields: readonly FormField[],
  content: Readonly<Record<string, FieldValue>>,
): Question {
  const lines = fields.map(({ name, label }) => {
    const value = content[name];
    return `${cut(label, 200)}: ${value === undefined ? '–' : shown(value)}`;
  });
  return {
    title: `Send these answers to the MCP server "${server}"?`,
    reason: [titleOf(message), ...lines].join('\n'),
    options: [{ id: 'send', name: 'Send' }, { id: 'again', name: 'Answer again' }, DECLINE],
    takesText: false,
  };
}

function shown(value: FieldValue): string {
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  return Array.isArray(value) ? value.join(', ') : String(value);
}
