import type { AnswerMaker, ScriptedAnswer } from './fake-provider.ts';

/** As OpenAI documents them for all of its embedding models. */
const MOST_TEXTS = 2_048;
const MOST_TOKENS_A_TEXT = 8_192;
const MOST_TOKENS = 300_000;

/** What a fake embedding model is like. */
export interface FakeEmbeddingsOptions {
  /** One number for each dimension that the model has; a question may ask for the first of them. */
  vectorOf: (text: string) => readonly number[];
  /** Whether one may choose how many. Older models say no. */
  hasDimensions?: boolean;
  /** What a text may have, in tokens. Local models often take 512. */
  mostTokens?: number;
}

/**
 * The endpoint `/embeddings` of a fake provider, with OpenAI's limits and words: `fake.answer(fakeEmbeddings({ … }))`. Words
 * and marks count as a token each, so that texts of a test can be counted by hand.
 */
export function fakeEmbeddings(options: FakeEmbeddingsOptions): AnswerMaker {
  const { vectorOf, hasDimensions = true, mostTokens = MOST_TOKENS_A_TEXT } = options;
  return ({ path, headers, body }) => {
    if (!/\/embeddings(?:\?|$)/.test(path)) return refusal(404, `Invalid URL (POST ${path})`);
    if (!/^Bearer ./.test(headers.authorization ?? '')) return refusal(401, "You didn't provide an API key.");
    const { model, input, dimensions, encoding_format: format = 'float' } = body;
    if (typeof model !== 'string' || model === '') return refusal(400, 'you must provide a model parameter');
    const texts = typeof input === 'string' ? [input] : input;
    if (!isTexts(texts)) return refusal(400, "'$.input' is invalid. Please check the API reference.");
    if (format !== 'float' && format !== 'base64')
      return refusal(400, `'${String(format)}' is not one of ['float', 'base64']`);

    const tokens = texts.map((text) => text.match(/\w+|[^\w\s]/g)?.length ?? 1);
    const longest = Math.max(...tokens);
    if (longest > mostTokens)
      return refusal(
        400,
        `This model's maximum context length is ${mostTokens} tokens, however you requested ${longest} tokens (${longest} in your prompt; 0 for the completion). Please reduce your prompt; or completion length.`,
      );
    const total = tokens.reduce((sum, count) => sum + count, 0);
    if (total > MOST_TOKENS) return refusal(400, `Requested ${total} tokens, max ${MOST_TOKENS} tokens per request`);

    const vectors = texts.map((text) => [...vectorOf(text)]);
    const most = vectors[0]!.length;
    if (dimensions !== undefined) {
      if (!hasDimensions) return refusal(400, 'This model does not support specifying dimensions.');
      if (typeof dimensions !== 'number' || dimensions < 1 || dimensions > most)
        return refusal(
          400,
          `Invalid value for 'dimensions' = ${JSON.stringify(dimensions)}. Must be less than or equal to ${most}.`,
        );
    }
    const data = vectors.map((vector, index) => ({
      object: 'embedding',
      index,
      embedding: encode(shortened(vector, dimensions), format),
    }));
    return {
      body: JSON.stringify({ object: 'list', data, model, usage: { prompt_tokens: total, total_tokens: total } }),
    };
  };
}

function isTexts(input: unknown): input is string[] {
  if (!Array.isArray(input) || input.length === 0 || input.length > MOST_TEXTS) return false;
  return input.every((text) => typeof text === 'string' && text !== '');
}

/** The first numbers, brought to length 1 again. */
function shortened(vector: number[], dimensions = vector.length): number[] {
  const kept = vector.slice(0, dimensions);
  const length = Math.hypot(...kept);
  return length === 0 ? kept : kept.map((value) => value / length);
}

function encode(vector: number[], format: 'float' | 'base64'): number[] | string {
  return format === 'float' ? vector : Buffer.from(Float32Array.from(vector).buffer).toString('base64');
}

function refusal(status: number, message: string): ScriptedAnswer {
  return {
    status,
    body: JSON.stringify({ error: { message, type: 'invalid_request_error', param: null, code: null } }),
  };
}
