import type { z } from 'zod';
import { nearestWord } from './nearest-word.ts';
import { publishedAt, type PublishedNode } from './published-schema.ts';

type Issue = z.core.$ZodIssue;

/** One mistake, in words: where it stands and what was expected there. */
export interface DescribedIssue {
  path: PropertyKey[];
  /** Whether the name or the value of the setting is wrong; the reader is sent to that place. */
  part: 'key' | 'value';
  message: string;
}

/**
 * Turns what zod found into sentences that say what was expected and what was found.
 *
 * Text values are never repeated, except where one of a few words was expected: what stands in the wrong place may
 * well be a key.
 */
export function describeIssue(issue: Issue, input: unknown, schema: z.ZodType): DescribedIssue[] {
  const path = [...issue.path];
  const found = valueAt(input, path);
  if (issue.code === 'unrecognized_keys') {
    const known = knownKeys(schema, path, found);
    return issue.keys.map((key) => ({ path: [...path, key], part: 'key', message: unknownKey(key, known) }));
  }
  if (issue.code === 'invalid_union') return describeUnion(issue, input, schema);
  if (issue.code === 'custom') return [{ path, part: 'value', message: issue.message }];
  if (issue.code === 'invalid_key') return [{ path, part: 'key', message: issue.issues[0]?.message ?? issue.message }];
  return [
    {
      path,
      part: 'value',
      message:
        found === undefined
          ? `is missing; ${expected(issue)}`
          : `${expected(issue)}, found ${describeValue(found, issue)}`,
    },
  ];
}

function expected(issue: Exclude<Issue, { code: 'unrecognized_keys' | 'invalid_union' | 'invalid_key' }>): string {
  switch (issue.code) {
    case 'invalid_type':
      return `expected ${TYPE_WORDS[issue.expected] ?? issue.expected}`;
    case 'invalid_value':
      return `expected ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.map((value) => JSON.stringify(value)).join(', ')}`;
    case 'too_small':
      if (issue.origin === 'number' && issue.inclusive === false)
        return `expected a number greater than ${issue.minimum}`;
      return `expected ${measured(issue.origin)} of at least ${issue.minimum}${unit(issue.origin)}`;
    case 'too_big':
      if (issue.origin === 'number' && issue.inclusive === false) return `expected a number less than ${issue.maximum}`;
      return `expected ${measured(issue.origin)} of at most ${issue.maximum}${unit(issue.origin)}`;
    case 'invalid_format':
      // A pattern says nothing to people; the sentence beside it does.
      if (issue.format === 'regex') return issue.message;
      return `expected ${FORMAT_WORDS[issue.format] ?? `text of the form ${issue.format}`}`;
    case 'not_multiple_of':
      return `expected a multiple of ${issue.divisor}`;
    case 'invalid_element':
    case 'custom':
      return issue.message;
  }
}

/** Where a word decides which form is meant, such as `type`, the words are the answer. */
function describeChoice(path: PropertyKey[], options: readonly unknown[], found: unknown): DescribedIssue[] {
  const wanted = `expected one of ${options.map((option) => JSON.stringify(option)).join(', ')}`;
  const word = typeof found === 'string' && found.length <= 30 ? JSON.stringify(found) : describeValue(found);
  return [{ path, part: 'value', message: found === undefined ? `is missing; ${wanted}` : `${wanted}, found ${word}` }];
}

/** A union reports every branch; the one with the fewest complaints is the one that was meant. */
function describeUnion(issue: z.core.$ZodIssueInvalidUnion, input: unknown, schema: z.ZodType): DescribedIssue[] {
  const path = [...issue.path];
  const found = valueAt(input, path);
  if ('options' in issue && Array.isArray(issue.options)) return describeChoice(path, issue.options, found);
  const branches = issue.errors.map((branch) => branch.map((inner) => ({ ...inner, path: [...path, ...inner.path] })));
  const wrongTypes = branches.filter(
    (branch) => branch.length === 1 && branch[0]!.code === 'invalid_type' && branch[0].path.length === path.length,
  );
  if (wrongTypes.length === branches.length) {
    const choices = wrongTypes.map(([inner]) =>
      expected(inner as Parameters<typeof expected>[0]).replace('expected ', ''),
    );
    const wanted = `expected ${[...new Set(choices)].join(' or ')}`;
    return [
      {
        path,
        part: 'value',
        message: found === undefined ? `is missing; ${wanted}` : `${wanted}, found ${describeValue(found)}`,
      },
    ];
  }
  const closest = branches
    .filter((branch) => !wrongTypes.includes(branch))
    .toSorted((one, other) => one.length - other.length)[0]!;
  return closest.flatMap((inner) => describeIssue(inner as Issue, input, schema));
}

const TYPE_WORDS: Readonly<Record<string, string>> = {
  string: 'text in double quotes',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'an object { … }',
  record: 'an object { … }',
  array: 'a list [ … ]',
  tuple: 'a list [ … ]',
};

const FORMAT_WORDS: Readonly<Record<string, string>> = {
  url: 'an address such as "https://example.com"',
  safeint: 'a whole number',
};

function measured(origin: string): string {
  if (origin === 'string') return 'text';
  if (origin === 'array' || origin === 'set') return 'a list';
  return 'a number';
}

function unit(origin: string): string {
  if (origin === 'string') return ' characters';
  if (origin === 'array' || origin === 'set') return ' entries';
  return '';
}

function describeValue(value: unknown, issue?: Issue): string {
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (value === '') return 'nothing';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'an object';
  const isWord = issue?.code === 'invalid_value' && typeof value === 'string' && value.length <= 30;
  return isWord ? JSON.stringify(value) : 'text';
}

function unknownKey(key: string, known: readonly string[]): string {
  const meant = nearestWord(key, known);
  if (meant !== undefined) return `unknown key; did you mean "${meant}"?`;
  return known.length === 0 ? 'unknown key' : `unknown key; expected one of ${known.join(', ')}`;
}

/**
 * The names allowed at a place, read from the published form of the schema. Where a word in what was found tells which of
 * several forms is meant, such as `type`, it is the names of that form.
 */
function knownKeys(schema: z.ZodType, path: readonly PropertyKey[], found: unknown): string[] {
  const nodes = publishedAt(schema, path);
  const isMeant = ({ properties = {}, additionalProperties }: PublishedNode) =>
    additionalProperties === false &&
    Object.entries(properties).every(([key, own]) => own.const === undefined || own.const === valueAt(found, [key]));
  const meant = nodes.filter(isMeant);
  return [...new Set((meant.length > 0 ? meant : nodes).flatMap((node) => Object.keys(node.properties ?? {})))];
}

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  let value = input;
  for (const key of path) value = (value as Record<PropertyKey, unknown> | null | undefined)?.[key];
  return value;
}
