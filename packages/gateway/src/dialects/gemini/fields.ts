import { DragomanError } from '@dragoman/protocol';
import type { JsonObject } from '../../tools/json-object.ts';

/**
 * What becomes of a field where another provider than Google answers; Google's own is sent the body as it came.
 *
 * `translated` has a counterpart in a model call. `left-out` is a hint that changes nothing about what the answer says.
 * Everything else is refused with the reason, unless its value asks for what is done anyway.
 */
type FieldFate = 'translated' | 'left-out' | { refused: string; unless?: (value: unknown) => boolean };

const runsAtGoogle: FieldFate = {
  refused: 'this tool runs at Google; use a model of a provider of type "gemini", or a function instead',
};

/** Every field of a request, in the service's own spelling, by the object that it stands in. */
export const GEMINI_FIELDS = {
  request: {
    contents: 'translated',
    systemInstruction: 'translated',
    tools: 'translated',
    toolConfig: 'translated',
    generationConfig: 'translated',
    cachedContent: { refused: 'the provider cannot read what is cached at Google; send the contents' },
    model: 'translated', // The address names it, too.
    safetySettings: 'left-out',
    labels: 'left-out',
    serviceTier: 'left-out',
    store: 'left-out',
  },
  generationConfig: {
    temperature: 'translated',
    topP: 'translated',
    topK: 'translated',
    maxOutputTokens: 'translated',
    stopSequences: 'translated',
    seed: 'translated',
    presencePenalty: 'translated',
    frequencyPenalty: 'translated',
    responseSchema: 'translated',
    responseJsonSchema: 'translated',
    thinkingConfig: 'translated',
    responseMimeType: {
      refused: 'expected text/plain or application/json',
      unless: (value) => value === 'text/plain' || value === 'application/json',
    },
    candidateCount: { refused: 'only one candidate is supported', unless: (value) => value === 1 },
    responseModalities: {
      refused: 'only text output is supported',
      unless: (value) => Array.isArray(value) && value.every((modality) => String(modality).toUpperCase() === 'TEXT'),
    },
    responseLogprobs: { refused: 'the provider does not return them', unless: (value) => value === false },
    logprobs: { refused: 'the provider does not return them', unless: (value) => value === 0 },
    speechConfig: { refused: 'only text output is supported' },
    imageConfig: { refused: 'only text output is supported' },
    audioTranscriptionConfig: { refused: 'only text output is supported' },
    continuationToken: { refused: 'only Google can continue its own answer' },
    mediaResolution: 'left-out',
    audioTimestamp: 'left-out',
    enableEnhancedCivicAnswers: 'left-out',
    routingConfig: 'left-out',
    modelSelectionConfig: 'left-out',
  },
  toolConfig: {
    functionCallingConfig: 'translated',
    retrievalConfig: 'left-out', // It is for tools that run at Google.
    includeServerSideToolInvocations: 'left-out',
  },
  tool: {
    functionDeclarations: 'translated',
    googleSearch: runsAtGoogle,
    googleSearchRetrieval: runsAtGoogle,
    enterpriseWebSearch: runsAtGoogle,
    googleMaps: runsAtGoogle,
    urlContext: runsAtGoogle,
    codeExecution: runsAtGoogle,
    computerUse: runsAtGoogle,
    fileSearch: runsAtGoogle,
    retrieval: runsAtGoogle,
    mcpServers: runsAtGoogle,
  },
  part: {
    text: 'translated',
    thought: 'translated',
    thoughtSignature: 'translated',
    functionCall: 'translated',
    functionResponse: 'translated',
    inlineData: 'translated',
    fileData: 'translated',
    executableCode: 'translated',
    codeExecutionResult: 'translated',
    toolCall: 'left-out', // What a tool at Google did: the answer behind it says what came of it.
    toolResponse: 'left-out',
    videoMetadata: 'left-out',
    mediaResolution: 'left-out',
    partMetadata: 'left-out',
  },
} as const satisfies Record<string, Record<string, FieldFate>>;

/** Refuses what the client asks for and would not get. `place` is where the object stands. */
export function refuseFields(object: JsonObject, kind: keyof typeof GEMINI_FIELDS, place: string): void {
  const fates: Readonly<Record<string, FieldFate>> = GEMINI_FIELDS[kind];
  for (const [name, value] of Object.entries(object)) {
    const fate = Object.hasOwn(fates, name) ? fates[name] : undefined;
    if (typeof fate !== 'object' || value === undefined || value === null || fate.unless?.(value) === true) continue;
    throw new DragomanError('bad-request', `${place}${name}: ${fate.refused}.`);
  }
}

/** The names of what the client sent and nobody is told: hints, and fields that are not known here. */
export function leftOutFields(object: JsonObject, kind: keyof typeof GEMINI_FIELDS, place: string): string[] {
  const fates: Readonly<Record<string, FieldFate>> = GEMINI_FIELDS[kind];
  return Object.entries(object).flatMap(([name, value]) => {
    const fate = Object.hasOwn(fates, name) ? fates[name] : 'left-out';
    return fate === 'left-out' && value !== undefined && value !== null ? [`${place}${name.slice(0, 40)}`] : [];
  });
}
