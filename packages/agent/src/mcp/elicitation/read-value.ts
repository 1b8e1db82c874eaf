import type { FieldValue, FormField } from './form-field.ts';

const MAX_TEXT = 10_000;
const EMAIL = /^[^\s@]{1,64}@[^\s@]{1,255}$/;
const DATE = /^\d{4}-\d{2}-\d{2}$/;

/** What the server gets for an answer in words, or what is wrong with it. A pattern of the server is left to the server. */
export type ReadValue = { value: FieldValue } | { problem: string };

/** Reads what a person wrote for a field. */
export function readValue(field: FormField, text: string): ReadValue {
  const said = text.trim();
  if (said.length > MAX_TEXT) return { problem: `It is too long: ${MAX_TEXT} characters at most.` };
  switch (field.kind) {
    case 'text':
      return readText(field, said);
    case 'number':
      return readNumber(field, said);
    case 'choice': {
      const chosen = choiceOf(field, said);
      return chosen === undefined ? { problem: `It is none of: ${namesOf(field)}.` } : { value: chosen };
    }
    case 'choices':
      return readChoices(field, said);
  }
}

/** What an answer has to be like, as a sentence for people; empty where anything will do. */
export function describeField(field: FormField): string {
  const { kind, schema } = field;
  if (kind === 'choices')
    return `More than one may be meant: write them with commas between. There are: ${namesOf(field)}.`;
  if (schema.type === 'number' || schema.type === 'integer') {
    const { minimum, maximum } = schema;
    const least = minimum === undefined ? '' : ` of at least ${minimum}`;
    const most = maximum === undefined ? '' : `${least === '' ? ' of' : ' and'} at most ${maximum}`;
    return `A ${schema.type === 'integer' ? 'whole ' : ''}number${least}${most}.`;
  }
  if (kind !== 'text' || schema.type !== 'string') return '';
  const { format, minLength, maxLength } = bounds(field);
  const lengths = [
    ...(minLength === undefined ? [] : [`at least ${minLength}`]),
    ...(maxLength === undefined ? [] : [`at most ${maxLength}`]),
  ];
  return [
    ...(format === undefined ? [] : [`${FORMATS[format]!.name}.`]),
    ...(lengths.length === 0 ? [] : [`Characters: ${lengths.join(', ')}.`]),
  ].join(' ');
}

const FORMATS: Readonly<Record<string, { name: string; fits(text: string): boolean }>> = {
  email: { name: 'An email address', fits: (text) => EMAIL.test(text) },
  uri: { name: 'An address, such as https://example.com', fits: (text) => URL.canParse(text) },
  date: { name: 'A date, such as 2026-07-28', fits: (text) => DATE.test(text) && !Number.isNaN(Date.parse(text)) },
  'date-time': {
    name: 'A date with its time, such as 2026-07-28T12:00:00Z',
    fits: (text) => text.includes('T') && !Number.isNaN(Date.parse(text)),
  },
};

function bounds({ schema }: FormField): { format?: string; minLength?: number; maxLength?: number } {
  const { format, minLength, maxLength } = schema as { format?: string; minLength?: number; maxLength?: number };
  return {
    ...(format !== undefined && Object.hasOwn(FORMATS, format) && { format }),
    ...(minLength !== undefined && { minLength }),
    ...(maxLength !== undefined && { maxLength }),
  };
}

function readText(field: FormField, said: string): ReadValue {
  const { format, minLength = 0, maxLength = MAX_TEXT } = bounds(field);
  const { length } = Array.from(said); // JSON Schema counts characters, not code units.
  const isRight = length >= minLength && length <= maxLength && (format === undefined || FORMATS[format]!.fits(said));
  return isRight ? { value: said } : { problem: describeField(field) };
}

function readNumber(field: FormField, said: string): ReadValue {
  const value = said === '' ? Number.NaN : Number(said);
  const {
    type,
    minimum = -Infinity,
    maximum = Infinity,
  } = field.schema as {
    type: string;
    minimum?: number;
    maximum?: number;
  };
  const isRight =
    Number.isFinite(value) && value >= minimum && value <= maximum && (type !== 'integer' || Number.isInteger(value));
  return isRight ? { value } : { problem: describeField(field) };
}

function readChoices(field: FormField, said: string): ReadValue {
  const words = said.split(',').map((word) => word.trim());
  const chosen = words.filter((word) => word !== '').map((word) => choiceOf(field, word));
  const { minItems = 0, maxItems = Infinity } = field.schema as { minItems?: number; maxItems?: number };
  if (chosen.some((value) => value === undefined)) return { problem: `Not all of it is one of: ${namesOf(field)}.` };
  const value = [...new Set(chosen.map(String))];
  if (value.length < minItems) return { problem: `Name at least ${minItems}.` };
  return value.length > maxItems ? { problem: `Name at most ${maxItems}.` } : { value };
}

/** By its name or by what stands for it, in any case. */
function choiceOf({ choices }: FormField, word: string): string | boolean | undefined {
  const same = (text: string) => text.trim().toLowerCase() === word.toLowerCase();
  return choices.find(({ name, value }) => same(name) || same(String(value)))?.value;
}

function namesOf({ choices }: FormField): string {
  return choices.map(({ name }) => name).join(', ');
}
