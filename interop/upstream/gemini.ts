import {
  type Asked,
  checkToolNames,
  halves,
  type Json,
  newId,
  objects,
  type Protocol,
  Refusal,
  refuseUnknown,
  type Said,
  serverSentEvent,
} from './asked.ts';

const FIELDS = [
  'cachedContent',
  'contents',
  'generationConfig',
  'labels',
  'safetySettings',
  'systemInstruction',
  'toolConfig',
  'tools',
  'model',
  'serviceTier',
  'store',
];
const SCHEMA_FIELDS = ['anyOf', 'default', 'description', 'enum', 'example', 'format', 'items', 'maxItems', 'maxLength', 'maxProperties', 'maximum', 'minItems', 'minLength', 'minProperties', 'minimum', 'nullable', 'pattern', 'properties', 'propertyOrdering', 'required', 'title', 'type']; // prettier-ignore

/** What the model signs its calls with; it refuses a call of the current turn without it. */
const SIGNATURE = 'c2lnbmVkIGJ5IHRoZSBtb2RlbA==';

/** Google's Gemini, as its newest models are: calls of the current turn come back with their signature. */
export const gemini: Protocol = {
  read(body, path) {
    refuseUnknown(body, FIELDS, '');
    const declarations = objects(body['tools'], 'tools').flatMap((tool) =>
      objects(tool['functionDeclarations'], 'functionDeclarations'),
    );
    for (const { parameters } of declarations) if (parameters !== undefined) checkSchema(parameters as Json);
    const tools = declarations.map((declaration) => declaration['name'] as string);
    checkToolNames(tools);
    const { responseJsonSchema, responseSchema } = (body['generationConfig'] ?? {}) as Record<string, Json | undefined>;
    return {
      ...readContents(objects(body['contents'], 'contents')),
      tools,
      isStreamed: path.includes(':streamGenerateContent'),
      schema: responseJsonSchema ?? responseSchema,
    };
  },
  stream(said) {
    const parts = partsOf(said).flatMap((part) =>
      typeof part['text'] === 'string' ? halves(part['text']).map((text) => ({ text })) : [part],
    );
    return [
      ...parts.map((part) => serverSentEvent(answerOf([part]))),
      serverSentEvent({ ...answerOf([{ text: '' }], 'STOP'), usageMetadata: USAGE }),
    ];
  },
  whole: (said) => ({ ...answerOf(partsOf(said), 'STOP'), usageMetadata: USAGE }),
  error: (status, message) => ({
    error: {
      code: status,
      message,
      status: status === 429 ? 'RESOURCE_EXHAUSTED' : status >= 500 ? 'INTERNAL' : 'INVALID_ARGUMENT',
    },
  }),
};

const USAGE = { promptTokenCount: 100, candidatesTokenCount: 10, totalTokenCount: 110 };

function partsOf(said: Said): Json[] {
  if (typeof said === 'string') return [{ text: said }];
  // The first call of several carries the signature of all.
  return said.map(({ name, input }, index) => ({
    functionCall: { id: newId(''), name, args: input },
    ...(index === 0 && { thoughtSignature: SIGNATURE }),
  }));
}

function answerOf(parts: readonly Json[], finishReason?: string): Json {
  return {
    candidates: [{ index: 0, content: { role: 'model', parts }, ...(finishReason !== undefined && { finishReason }) }],
    modelVersion: 'scripted',
    responseId: 'scripted',
  };
}

function checkSchema(schema: Json): void {
  refuseUnknown(schema, SCHEMA_FIELDS, 'parameters.');
  for (const inner of Object.values((schema['properties'] ?? {}) as Json)) checkSchema(inner as Json);
  if (schema['items'] !== undefined) checkSchema(schema['items'] as Json);
  for (const inner of objects(schema['anyOf'], 'anyOf')) checkSchema(inner);
}

/** A turn with calls is followed by a turn with as many responses, and only by that. */
function readContents(contents: readonly Json[]): Pick<Asked, 'userText' | 'results'> {
  if (contents.length === 0) throw new Refusal('contents is not specified.');
  let userText = '';
  let results: string[][] = [];
  let open: string[] = [];
  let unsigned: string | undefined;
  for (const [index, { role, parts: given }] of joinModelTurns(contents).entries()) {
    if (role !== undefined && role !== 'user' && role !== 'model' && role !== 'function')
      throw new Refusal('Please use a valid role: user, model.');
    const parts = objects(given, 'parts');
    if (parts.length === 0) throw new Refusal(`contents[${index}].parts must not be empty.`);
    const answers = parts.flatMap((part) =>
      part['functionResponse'] === undefined ? [] : [part['functionResponse'] as Json],
    );
    const calls = parts.filter((part) => part['functionCall'] !== undefined);
    if (answers.length !== open.length) {
      throw new Refusal(
        'Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.',
      );
    }
    if (answers.some((answer) => !open.includes(answer['name'] as string)))
      throw new Refusal('A function response names no function that was called.');
    if (answers.length > 0) results.at(-1)!.push(...answers.map((answer) => JSON.stringify(answer['response'])));
    if (calls.length > 0 && (index === 0 || role !== 'model'))
      throw new Refusal(
        'Please ensure that function call turn comes immediately after a user turn or after a function response turn.',
      );
    if (calls.length > 0) results.push([]);
    open = calls.map((part) => (part['functionCall'] as Json)['name'] as string);
    if (role !== 'model' && answers.length === 0) {
      userText += `${parts.map((part) => (part['text'] as string | undefined) ?? '').join('')}\n`;
      results = [];
      unsigned = undefined;
    }
    if (calls.length > 0 && typeof calls[0]!['thoughtSignature'] !== 'string') unsigned = open[0];
  }
  if (open.length > 0) throw new Refusal('A function call has no response.');
  if (unsigned !== undefined)
    throw new Refusal(`Function call ${unsigned} is missing a thought_signature in functionCall parts.`);
  return { userText, results };
}

/** Google's own library sends the pieces of a streamed answer as turns of the model in a row, which count as one. */
function joinModelTurns(contents: readonly Json[]): Json[] {
  const turns: Json[] = [];
  for (const content of contents) {
    const last = turns.at(-1);
    if (content['role'] === 'model' && last?.['role'] === 'model')
      last['parts'] = [...objects(last['parts'], 'parts'), ...objects(content['parts'], 'parts')];
    else turns.push({ ...content });
  }
  return turns;
}
