import { DragomanError } from '@dragoman/protocol';
import type { JsonObject } from '../../tools/json-object.ts';
import { isJsonObject } from '../../tools/json-object.ts';

/**
 * What becomes of a field where the provider speaks another protocol: it is said in that one, it is refused by name because
 * the answer would be another without it, or it is a hint that is left out and named. A provider that speaks this protocol
 * gets every field as it came.
 */
type FieldUse = 'translated' | 'refused' | 'left-out';

const SHARED: Readonly<Record<string, FieldUse>> = {
  model: 'translated',
  stream: 'translated',
  think: 'translated',
  format: 'translated',
  options: 'translated',
  logprobs: 'refused',
  top_logprobs: 'refused',
  keep_alive: 'left-out',
  truncate: 'left-out',
  shift: 'left-out',
};

const FIELDS = {
  chat: { ...SHARED, messages: 'translated', tools: 'translated' },
  generate: {
    ...SHARED,
    prompt: 'translated',
    suffix: 'translated',
    system: 'translated',
    images: 'translated',
    template: 'refused',
    raw: 'refused',
    context: 'refused',
    width: 'refused',
    height: 'refused',
    steps: 'refused',
  },
} as const satisfies Record<string, Readonly<Record<string, FieldUse>>>;

/** Those that are not here say how the machine runs the model, or how it draws: hints of a server of models. */
const OPTIONS: Readonly<Record<string, FieldUse>> = {
  temperature: 'translated',
  top_p: 'translated',
  top_k: 'translated',
  min_p: 'translated',
  num_predict: 'translated',
  stop: 'translated',
  seed: 'translated',
  presence_penalty: 'translated',
  frequency_penalty: 'translated',
};

const WHY: Readonly<Record<string, string>> = {
  template: 'only a provider of type "ollama" supports a template',
  raw: 'only a provider of type "ollama" supports a prompt without a template',
  context: 'this server does not store conversations; send it as messages to /api/chat',
};

/** So many names are told. */
const MOST_NAMES = 40;
/** Anything else could not stand in a header. */
const PLAIN_NAME = /^[\w-]{1,60}$/;

/** Refuses what cannot be said in another protocol, and names the hints that are left out. */
export function sortFields(kind: keyof typeof FIELDS, body: JsonObject): string[] {
  const uses: Readonly<Record<string, FieldUse>> = FIELDS[kind];
  const leftOut: string[] = [];
  const note = (use: FieldUse | undefined, name: string, place: string) => {
    if (use === 'translated' || leftOut.length >= MOST_NAMES) return;
    leftOut.push(PLAIN_NAME.test(name) ? place : '(another)');
  };
  for (const [name, value] of Object.entries(body)) {
    if (isAbsent(value)) continue;
    const use = own(uses, name);
    if (use === 'refused')
      throw new DragomanError(
        'bad-request',
        `${name}: ${WHY[name] ?? 'only a provider of type "ollama" supports this'}. Leave it out, or use a model of such a provider.`,
      );
    note(use, name, name);
  }
  const { options } = body;
  if (isJsonObject(options))
    for (const [name, value] of Object.entries(options))
      if (value !== null) note(own(OPTIONS, name), name, `options.${name}`);
  return [...new Set(leftOut)];
}

function own(uses: Readonly<Record<string, FieldUse>>, name: string): FieldUse | undefined {
  return Object.hasOwn(uses, name) ? uses[name] : undefined;
}

/** What clients send for a field that they leave alone. */
function isAbsent(value: unknown): boolean {
  return (
    value === null ||
    value === undefined ||
    value === false ||
    value === '' ||
    value === 0 ||
    (Array.isArray(value) && value.length === 0)
  );
}
