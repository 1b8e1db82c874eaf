/* A stand-in for `claude` in headless mode, with the message shapes of its SDK. A prompt that is a JSON list is a script;
   `_$` in it is an id that is new in each turn. */
import { randomUUID } from 'node:crypto';
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';

type Json = Record<string, unknown>;

/** One thing that the fake does in a turn. */
export interface Step {
  /** A message of the model, written piece by piece and then told whole. With `parent` it is one of a task, told whole. */
  message?: Json[];
  parent?: string;
  /** Told whole only, as where a stream was not possible. */
  isWhole?: true;
  /** What a tool came to. */
  result?: { id: string; content: unknown; is_error?: boolean };
  /** What is told beside the result. */
  details?: unknown;
  /** Asks whether a tool may be used; a no ends it with an error, a yes with `onYes`. */
  ask?: Json;
  onYes?: Step[];
  /** Withdraws the question before it was answered. */
  withdraw?: Json;
  /** Any message as it is. */
  told?: Json;
  /** A line as it is. */
  raw?: string;
  exit?: number;
  stderr?: string;
  /** Waits to be interrupted. */
  hang?: true;
  /** Waits for ever and does not hear that it is interrupted. */
  deaf?: true;
  /** Fields of the result that ends the turn. */
  end?: Json;
}

/** What the fake tells of itself when it begins. */
export const FAKE_HELLO = {
  commands: [{ name: 'compact', description: 'Sums the conversation up', argumentHint: '' }],
  models: [
    { value: 'default', displayName: 'Default', description: 'What is recommended' },
    { value: 'opus', displayName: 'Opus', description: 'For hard work' },
  ],
  account: { email: 'ada@example.com' },
  output_style: 'default',
};

async function serve(): Promise<void> {
  const state = process.env['FAKE_CLAUDE_STATE']!;
  const { values: flags } = parseArgs({ options: flagOptions(), allowPositionals: true });
  const note = (line: object) => appendFileSync(join(state, 'heard.log'), `${JSON.stringify(line)}\n`);
  const history = (id: string) => join(state, `${id}.log`);
  const send = (message: object) => process.stdout.write(`${JSON.stringify(message)}\n`);
  const waiting = new Map<string, (response: Json) => void>();
  let sessionId = randomUUID() as string;
  let [mode, model] = [flags['permission-mode'] ?? 'default', flags['model'] ?? 'claude-test-1'];
  let interrupt = () => {};
  let isInterrupted = false;
  let [cost, asked] = [0, 0];
  note({ argv: process.argv.slice(2) });

  if (flags['resume'] !== undefined) {
    if (!existsSync(history(flags['resume']))) {
      const errors = [`No conversation found with session ID: ${flags['resume']}`];
      send({ type: 'result', subtype: 'error_during_execution', is_error: true, errors, session_id: sessionId });
      process.stderr.write(`${errors[0]}\n`);
      process.exit(1);
    }
    if (flags['fork-session'] === true) writeFileSync(history(sessionId), readFileSync(history(flags['resume'])));
    else sessionId = flags['resume'];
  }
  const tell = (message: Json) => send({ ...message, session_id: sessionId, uuid: randomUUID() });

  function speak({ message: blocks = [], parent, isWhole }: Step): void {
    const id = `msg_${randomUUID()}`;
    const usage = { input_tokens: 10, cache_read_input_tokens: 30, cache_creation_input_tokens: 0, output_tokens: 5 };
    const about = { id, type: 'message', role: 'assistant', model, usage };
    const stream = (event: Json) => {
      if (isWhole !== true && parent === undefined) tell({ type: 'stream_event', event, parent_tool_use_id: null });
    };
    stream({ type: 'message_start', message: { ...about, content: [] } });
    for (const [index, block] of blocks.entries()) {
      const { start, deltas } = inPieces(block);
      stream({ type: 'content_block_start', index, content_block: start });
      for (const delta of deltas) stream({ type: 'content_block_delta', index, delta });
      tell({ type: 'assistant', message: { ...about, content: [block] }, parent_tool_use_id: parent ?? null });
      stream({ type: 'content_block_stop', index });
    }
    stream({ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 5 } });
    stream({ type: 'message_stop' });
  }

  function conclude({ result: block, details, parent }: Step): void {
    const content = [{ type: 'tool_result', tool_use_id: block!.id, ...block, id: undefined }];
    tell({
      type: 'user',
      message: { role: 'user', content },
      parent_tool_use_id: parent ?? null,
      ...(details === undefined ? {} : { tool_use_result: details }),
    });
  }

  async function ask(step: Step): Promise<void> {
    const request = { subtype: 'can_use_tool', permission_suggestions: [], blocked_path: null, ...step.ask };
    const id = `ask_${++asked}`;
    const answer = new Promise<Json>((resolve) => waiting.set(id, resolve));
    send({ type: 'control_request', request_id: id, request });
    if (step.withdraw !== undefined) return void send({ type: 'control_cancel_request', request_id: id });
    const response = await answer;
    note({ answered: response });
    const decision = (response['response'] ?? {}) as Json;
    if (decision['behavior'] === 'allow') for (const each of step.onYes ?? []) await run(each);
    else conclude({ result: { id: String(step.ask?.['tool_use_id']), content: decision['message'], is_error: true } });
  }

  async function run(step: Step): Promise<void> {
    if (step.told !== undefined) tell(step.told);
    if (step.raw !== undefined) process.stdout.write(`${step.raw}\n`);
    if (step.stderr !== undefined) process.stderr.write(step.stderr);
    if (step.message !== undefined) speak(step);
    if (step.result !== undefined) conclude(step);
    if (step.ask !== undefined) await ask(step);
    if (step.exit !== undefined) process.exit(step.exit);
    if (step.deaf === true) await new Promise(() => {});
    if (step.hang === true && !isInterrupted) await new Promise<void>((resolve) => (interrupt = resolve));
  }

  async function turn(content: { type: string; text?: string }[]): Promise<void> {
    isInterrupted = false;
    note({ prompt: content });
    tell({ type: 'system', subtype: 'init', cwd: process.cwd(), tools: ['Bash'], model, permissionMode: mode });
    const text = content.map((block) => block.text ?? '').join('');
    const steps = text.startsWith('[{') ? (JSON.parse(text.replaceAll('_$', `_${randomUUID()}`)) as Step[]) : undefined;
    const before = existsSync(history(sessionId)) ? readFileSync(history(sessionId), 'utf8').trim().split('\n') : [];
    appendFileSync(history(sessionId), `${text.split('\n')[0]}\n`);
    const echo = `You said "${text}", and before: ${JSON.stringify(before.filter(Boolean))}`;
    let end: Json = {};
    for (const step of steps ?? [{ message: [{ type: 'text', text: echo }] }]) {
      await run(step);
      end = { ...end, ...step.end };
      if (isInterrupted) break;
    }
    cost += 0.25;
    const usage = { input_tokens: 10, cache_read_input_tokens: 30, cache_creation_input_tokens: 0, output_tokens: 5 };
    const aborted = { subtype: 'error_during_execution', is_error: true, terminal_reason: 'aborted_tools', errors: [] };
    tell({
      type: 'result',
      subtype: 'success',
      is_error: false,
      duration_ms: 1,
      duration_api_ms: 1,
      num_turns: 1,
      result: '',
      total_cost_usd: cost,
      usage,
      modelUsage: { [model]: { costUSD: cost, contextWindow: 200_000 } },
      permission_denials: [],
      ...(isInterrupted ? aborted : end),
    });
  }

  function control(id: string, request: Json): void {
    note({ control: request });
    const answer = (response: Json) =>
      void send({ type: 'control_response', response: { request_id: id, ...response } });
    switch (request['subtype']) {
      case 'initialize':
        return answer({ subtype: 'success', response: FAKE_HELLO });
      case 'interrupt':
        isInterrupted = true;
        interrupt();
        break;
      case 'set_model':
        if (request['model'] === 'gone') return answer({ subtype: 'error', error: 'there is no model "gone"' });
        model = String(request['model']);
        break;
      case 'set_permission_mode':
        mode = String(request['mode']);
        break;
      default:
        return answer({ subtype: 'error', error: `unknown request ${String(request['subtype'])}` });
    }
    answer({ subtype: 'success', response: {} });
  }

  let turns = Promise.resolve();
  createInterface({ input: process.stdin })
    .on('line', (line) => {
      const message = JSON.parse(line) as Json & { message: { content: { type: string; text?: string }[] } };
      if (message['type'] === 'user') turns = turns.then(() => turn(message.message.content));
      if (message['type'] === 'control_request') control(String(message['request_id']), message['request'] as Json);
      if (message['type'] === 'control_response') {
        const response = message['response'] as Json;
        waiting.get(String(response['request_id']))?.(response);
      }
    })
    .on('close', () => process.exit(0));
}

function flagOptions() {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean' } as const;
  return {
    print: { ...flag, short: 'p' },
    verbose: flag,
    'include-partial-messages': flag,
    'fork-session': flag,
    'input-format': text,
    'output-format': text,
    'permission-prompt-tool': text,
    'permission-mode': text,
    model: text,
    resume: text,
    'max-turns': text,
    'add-dir': text,
  } as const;
}

/** A block as it is written: how it begins, and its pieces. */
function inPieces(block: Json): { start: Json; deltas: Json[] } {
  const pieces = (text: string) => text.split(/(?<=\s)/);
  switch (block['type']) {
    case 'text':
      return {
        start: { type: 'text', text: '' },
        deltas: pieces(String(block['text'])).map((text) => ({ type: 'text_delta', text })),
      };
    case 'thinking':
      return {
        start: { type: 'thinking', thinking: '', signature: '' },
        deltas: [
          ...pieces(String(block['thinking'])).map((thinking) => ({ type: 'thinking_delta', thinking })),
          { type: 'signature_delta', signature: 'c2ln' },
        ],
      };
    case 'tool_use': {
      const json = JSON.stringify(block['input']);
      const half = Math.ceil(json.length / 2);
      const cuts = [json.slice(0, half), json.slice(half)];
      return {
        start: { ...block, input: {} },
        deltas: cuts.map((partial_json) => ({ type: 'input_json_delta', partial_json })),
      };
    }
    default:
      return { start: block, deltas: [] };
  }
}

if (process.argv[1] === import.meta.filename) await serve();
