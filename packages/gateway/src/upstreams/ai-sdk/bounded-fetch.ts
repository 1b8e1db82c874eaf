import { ANSWER_LIMITS, answerTooLarge } from '../answer-limits.ts';

/** Packages of the AI SDK gather what a service sends; here it is counted before they do. */
export const boundedFetch: typeof fetch = async (...asked) => {
  const answer = await fetch(...asked);
  if (answer.body === null) return answer;
  const isWhole = answer.headers.get('content-type')?.startsWith('application/json') === true;
  const limit = isWhole ? ANSWER_LIMITS.bodyBytes : ANSWER_LIMITS.streamBytes;
  let length = 0;
  const counted = new TransformStream<Uint8Array, Uint8Array>({
    transform(bytes, next) {
      length += bytes.length;
      if (length > limit) throw answerTooLarge(`more than ${limit} bytes`);
      next.enqueue(bytes);
    },
  });
  const { status, statusText, headers } = answer;
  return new Response(answer.body.pipeThrough(counted), { status, statusText, headers });
};
