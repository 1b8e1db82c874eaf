import type { BackendEvent } from '@dragoman/protocol';
import type { BlockWriter } from '../../backend/block-writer.ts';
import { countIn, type Fields, fieldsIn, listIn, textIn, toFields } from '../../backend/fields.ts';
import { wantsLogin } from './describe-login.ts';
import { StreamedMessage } from './streamed-message.ts';
import { fromProviderResult, isProviderResult, type ToolCalls } from './tool-calls.ts';
import type { ApiError } from './turn-end.ts';

/** Where what Claude Code says goes to. */
export interface SessionMessagesOptions {
  writer: BlockWriter;
  calls: ToolCalls;
  emit: (event: BackendEvent) => void;
  /** What the conversation is called, told at the beginning of each turn. */
  onSession: (agentSessionId: string) => void;
  /** The model was called. */
  onStep: (usage: Fields) => void;
  /** A turn is over. */
  onResult: (result: Fields) => void;
}

/** Messages that Claude Code writes in the name of the model. */
const SYNTHETIC = '<synthetic>';

/**
 * The messages of Claude Code as blocks and as news of the agent.
 *
 * An answer comes twice: piece by piece, and as whole messages. What was said in pieces is not said again. Of a task that
 * the model gave to another one only the calls are told; what it came to is the result of its call. Kinds of messages
 * that nobody here knows are passed over.
 */
export class SessionMessages {
  readonly #options: SessionMessagesOptions;
  readonly #streamed: StreamedMessage;
  #mode: string | undefined;
  #model: string | undefined;
  #apiError: ApiError | undefined;
  #hasSpoken = false;
  /** Which warnings were told, so that each is told once. */
  #warned = new Set<string>();

  constructor(options: SessionMessagesOptions) {
    this.#options = options;
    this.#streamed = new StreamedMessage(options.writer, options.calls);
  }

  /** The error that the provider answered with in this turn, if any. */
  get apiError(): ApiError | undefined {
    return this.#apiError;
  }

  /** A turn begins. */
  turnStarted(): void {
    this.#apiError = undefined;
    this.#hasSpoken = false;
  }

  /** A choice that was made, so that it is not told again. */
  learn(about: 'model' | 'mode', value: string): void {
    const known = about === 'model' ? this.#model : this.#mode;
    if (about === 'model') this.#model = value;
    else this.#mode = value;
    if (known !== value) this.#options.emit({ type: 'agent-updated', [about]: value });
  }

  /** Takes one message. */
  take(message: Fields): void {
    const parent = textIn(message, 'parent_tool_use_id');
    switch (message['type']) {
      case 'system':
        return this.#takeSystem(message);
      case 'stream_event':
        if (this.#streamed.take(fieldsIn(message, 'event'), parent)) this.#hasSpoken = true;
        return;
      case 'assistant':
        return this.#takeAssistant(message, parent);
      case 'user':
        return this.#takeUser(message);
      case 'rate_limit_event':
        return this.#takeRateLimit(fieldsIn(message, 'rate_limit_info'));
      case 'result':
        return this.#takeResult(message);
      default:
    }
  }

  #takeSystem(message: Fields): void {
    switch (message['subtype']) {
      case 'init': {
        const [id, model, mode] = ['session_id', 'model', 'permissionMode'].map((name) => textIn(message, name));
        if (id !== undefined) this.#options.onSession(id);
        // What a person chose stays as they called it ("opus"); here it has the name of the release.
        if (model !== undefined && this.#model === undefined) this.learn('model', model);
        if (mode !== undefined) this.learn('mode', mode);
        return;
      }
      case 'status': {
        const mode = textIn(message, 'permissionMode');
        return mode === undefined ? undefined : this.learn('mode', mode);
      }
      case 'compact_boundary':
        return this.#options.writer.notice('The conversation so far was summed up.', 'info');
      case 'api_retry':
        return this.#warnOnce(
          `retry ${textIn(message, 'error') ?? ''}`,
          `The provider did not answer (${textIn(message, 'error') ?? countIn(message, 'error_status') ?? 'no reason given'}); it is asked again.`,
        );
      default:
    }
  }

  #takeAssistant(message: Fields, parent: string | undefined): void {
    const answer = fieldsIn(message, 'message');
    const blocks = listIn(answer, 'content');
    if (parent === undefined && this.#isApiError(message, answer, blocks)) return;
    if (parent === undefined) {
      this.#options.onStep(fieldsIn(answer, 'usage'));
      this.#streamed.begin(textIn(answer, 'id'));
    }
    for (const block of blocks) {
      const [id, name] = [textIn(block, 'id'), textIn(block, 'name')];
      const isProse = block['type'] === 'text' || block['type'] === 'thinking';
      if (isProse) this.#hasSpoken = (parent === undefined && this.#streamed.whole(block)) || this.#hasSpoken;
      else if (isProviderResult(block)) this.#options.calls.result(fromProviderResult(block), {});
      else if (id !== undefined && name !== undefined)
        this.#options.calls.whole(id, name, fieldsIn(block, 'input'), parent);
    }
  }

  /** An error stands in the place of an answer; the end of the turn tells it. */
  #isApiError(message: Fields, answer: Fields, blocks: readonly Fields[]): boolean {
    const kind = textIn(message, 'error');
    const text = blocks.map((block) => textIn(block, 'text') ?? '').join('\n');
    const isSynthetic = textIn(answer, 'model') === SYNTHETIC;
    if (kind === undefined && !isSynthetic) return false;
    if (kind !== undefined || wantsLogin(text) || /^API Error\b/i.test(text)) this.#apiError = { kind, text };
    return kind !== undefined || this.#apiError !== undefined || text.startsWith('No response requested');
  }

  #takeUser(message: Fields): void {
    const details = toFields(message['tool_use_result']);
    for (const block of listIn(fieldsIn(message, 'message'), 'content'))
      if (block['type'] === 'tool_result') this.#options.calls.result(block, details);
  }

  #takeRateLimit(info: Fields): void {
    const status = textIn(info, 'status');
    if (status !== 'rejected' && status !== 'allowed_warning') return;
    const which = (textIn(info, 'rateLimitType') ?? 'usage').replaceAll('_', ' ');
    const resetsAt = countIn(info, 'resetsAt');
    const until = resetsAt === undefined ? '' : ` It is lifted at ${new Date(resetsAt * 1000).toISOString()}.`;
    const what = status === 'rejected' ? 'is reached' : 'is near';
    this.#warnOnce(`${status} ${which} ${resetsAt}`, `The ${which} limit of this account ${what}.${until}`);
  }

  #takeResult(result: Fields): void {
    // A command such as /context is answered here and nowhere else.
    const text = textIn(result, 'result');
    if (!this.#hasSpoken && text !== undefined && result['is_error'] !== true && this.#apiError === undefined)
      this.#options.writer.text(text);
    this.#options.onResult(result);
  }

  #warnOnce(key: string, text: string): void {
    if (this.#warned.has(key)) return;
    this.#warned.add(key);
    this.#options.writer.notice(text, 'warning');
  }
}
