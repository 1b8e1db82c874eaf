import { createHash } from 'node:crypto';
import type { AnswerMaker, ProviderRequest, ScriptedAnswer } from '@dragoman/testkit';

type Block = Record<string, unknown>;

/** What the service keeps only from here on, and how far it looks back from a mark. */
const MIN_TOKENS = 1024;
const LOOKBACK = 20;
const MAX_MARKS = 4;

/** What one call was counted as. */
export interface Counted {
  read: number;
  written: number;
  rest: number;
}

/**
 * A Claude that counts its prompt cache as the real service documents it: prefixes of tools, system and messages, kept
 * where a request has a mark and found from a mark over twenty blocks. It refuses what the service refuses.
 */
export function countingClaude(answer: (call: number) => Block[]): { make: AnswerMaker; calls: Counted[] } {
  const cache = new Set<string>();
  const calls: Counted[] = [];
  return {
    calls,
    make(request) {
      const blocks = blocksOf(request);
      const mistake = mistakeIn(request, blocks);
      if (mistake !== undefined)
        return {
          status: 400,
          body: JSON.stringify({ type: 'error', error: { type: 'invalid_request_error', message: mistake } }),
        };
      const counted = count(blocks, cache);
      calls.push(counted);
      return written(request, calls.length, answer(calls.length), counted);
    },
  };
}

/** The blocks in the order in which they are read, each with the tokens and the hash of all up to it. */
function blocksOf({ body }: ProviderRequest): { isMarked: boolean; tokens: number; hash: string }[] {
  const listed: unknown[] = [
    ...((body['tools'] ?? []) as Block[]),
    ...partsOf(body['system']),
    ...(body['messages'] as Block[]).flatMap(({ role, content }) =>
      partsOf(content).map((block) => ({ ...block, role, choice: body['tool_choice'], thinking: body['thinking'] })),
    ),
  ];
  let tokens = 0;
  let hash = '';
  return listed.map((block) => {
    const isMarked = JSON.stringify(block).includes('"cache_control"');
    const text = JSON.stringify(block, (key, value: unknown) => (key === 'cache_control' ? undefined : value));
    tokens += Math.ceil(text.length / 4);
    hash = createHash('sha1').update(hash).update(text).digest('hex');
    return { isMarked, tokens, hash };
  });
}

function count(blocks: ReturnType<typeof blocksOf>, cache: Set<string>): Counted {
  const marked = blocks.flatMap((block, index) => (block.isMarked ? [index] : []));
  let read = 0;
  for (const mark of marked)
    for (const block of blocks.slice(Math.max(0, mark + 1 - LOOKBACK), mark + 1))
      if (cache.has(block.hash)) read = Math.max(read, block.tokens);
  let kept = read;
  for (const mark of marked) {
    const { tokens, hash } = blocks[mark]!;
    if (tokens < MIN_TOKENS) continue;
    cache.add(hash);
    kept = Math.max(kept, tokens);
  }
  return { read, written: kept - read, rest: (blocks.at(-1)?.tokens ?? 0) - kept };
}

function mistakeIn({ body }: ProviderRequest, blocks: ReturnType<typeof blocksOf>): string | undefined {
  if (blocks.filter(({ isMarked }) => isMarked).length > MAX_MARKS) return 'too many blocks with cache_control';
  let open = new Set<unknown>();
  for (const [index, { role, content }] of (body['messages'] as Block[]).entries()) {
    const results = partsOf(content).flatMap((block) =>
      block['type'] === 'tool_result' ? [block['tool_use_id']] : [],
    );
    if (results.length !== open.size || results.some((id) => !open.has(id)))
      return `messages.${index}: tool_use and tool_result blocks do not belong together`;
    open = new Set(partsOf(content).flatMap((block) => (block['type'] === 'tool_use' ? [block['id']] : [])));
    if (role === 'user' && open.size > 0) return `messages.${index}: a user calls no tools`;
  }
  return undefined;
}

function partsOf(content: unknown): Block[] {
  if (content === undefined) return [];
  return typeof content === 'string' ? [{ type: 'text', text: content }] : (content as Block[]);
}

function written(
  { body }: ProviderRequest,
  call: number,
  content: Block[],
  { read, written: creation, rest }: Counted,
): ScriptedAnswer {
  const usage = {
    input_tokens: rest,
    cache_read_input_tokens: read,
    cache_creation_input_tokens: creation,
    output_tokens: 10,
  };
  const message = { id: `msg_${call}`, type: 'message', role: 'assistant', model: body['model'], usage };
  const stop = { stop_reason: content.some(({ type }) => type === 'tool_use') ? 'tool_use' : 'end_turn' };
  if (body['stream'] !== true) return { body: JSON.stringify({ ...message, content, ...stop }) };
  const events = [
    { type: 'message_start', message: { ...message, content: [] } },
    ...content.flatMap((block, index) => [
      {
        type: 'content_block_start',
        index,
        content_block: { ...block, ...(block['type'] === 'text' ? { text: '' } : { input: {} }) },
      },
      {
        type: 'content_block_delta',
        index,
        delta:
          block['type'] === 'text'
            ? { type: 'text_delta', text: block['text'] }
            : { type: 'input_json_delta', partial_json: JSON.stringify(block['input']) },
      },
      { type: 'content_block_stop', index },
    ]),
    { type: 'message_delta', delta: stop, usage },
    { type: 'message_stop' },
  ];
  return { body: events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`) };
}
