import { type ContentBlockOf, type FileDiff, newId, type ToolKind } from '@dragoman/protocol';
import type { BlockWriter, ToolUseNews } from '../../backend/block-writer.ts';
import { boundOutput } from '../../backend/bound-output.ts';
import { countIn, type Fields, fieldsIn, listIn, textIn } from '../../backend/fields.ts';
import { pathBelow } from '../../backend/session-path.ts';
import { callName } from './call-name.ts';
import type { ClientTerminals } from './client-terminals.ts';
import { rawOutputText, readToolContent, type ToolContent } from './tool-content.ts';

/** A call of the agent, as it stands. */
interface Call {
  /** Its id in the blocks. */
  id: string;
  name: string;
  /** Everything that was told of it, the newest on top. */
  told: Fields;
  isOver: boolean;
  /** Its turn ended while it showed output, and with it the block; what comes later is told anew. */
  isCut: boolean;
  /** A person was asked about it, so that its input, where it has one, is whole. */
  isAsked: boolean;
  /** People are asked about it as it stands: called once, when it is told otherwise. */
  onChange: (() => void) | undefined;
  diffs: FileDiff[];
  /** Live output that was passed on. */
  output: string;
  terminals: Map<string, () => void>;
  /** The blocks as they were said last, so that nothing is said twice. */
  saidUse: string;
  saidResult: string;
}

/** What the calls need of the session. */
export interface ToolCallsOptions {
  writer: BlockWriter;
  terminals: Pick<ClientTerminals, 'follow' | 'outputOf'>;
  cwd: string;
  /** A call has its result. */
  onOver: (toolUseId: string) => void;
  /** The conversation began before, so that short ids of calls may have been used already. */
  isContinued: boolean;
}

const KINDS: Readonly<Record<string, ToolKind>> = {
  read: 'read',
  edit: 'edit',
  delete: 'delete',
  move: 'move',
  search: 'search',
  execute: 'execute',
  think: 'think',
  fetch: 'fetch',
  task: 'task',
};
const ENDS: ReadonlySet<string> = new Set(['completed', 'failed', 'cancelled']);
/** Ids that a model counts up begin anew in every turn; longer ones are random. */
const RANDOM_ID_LENGTH = 16;
const LONGEST_LIVE_OUTPUT = 256 * 1024;

/**
 * The calls of an agent as `tool_use` and `tool_result`.
 *
 * An agent tells a call in pieces, each with what changed. Here they are put on top of each other; the blocks follow what
 * stands then.
 */
export class ToolCalls {
  readonly #options: ToolCallsOptions;
  readonly #calls = new Map<string, Call>();
  readonly #usedIds = new Set<string>();

  constructor(options: ToolCallsOptions) {
    this.#options = options;
  }

  /** Takes a `tool_call` or a `tool_call_update`. */
  take(update: Fields): void {
    const call = this.#find(update, update['sessionUpdate'] === 'tool_call');
    if (call === undefined) return;
    const before = call.onChange && deedOf(call);
    this.#put(call, update);
    if (before === undefined || before === deedOf(call)) return;
    const { onChange } = call;
    call.onChange = undefined;
    onChange?.();
  }

  /** Takes what a question tells of its call. The call is known afterwards, whether it was told before or not. */
  ask(
    update: Fields,
    onChange: () => void,
  ): { toolUseId: string; name: string; call: Fields; diffs: FileDiff[] } | undefined {
    const call = this.#find(update, false);
    if (call === undefined) return undefined;
    call.isAsked = true;
    const { diffs } = readToolContent(listIn(update, 'content'), this.#options.cwd);
    if (diffs.length > 0) call.diffs = diffs;
    // A question tells a call shorter than the call itself; only what was not known yet is added to it.
    const { status: _status, content: _content, ...asked } = update;
    const news = Object.entries(asked).filter(([name]) => isEmpty(call.told[name]));
    this.#put(call, Object.fromEntries(news));
    const rawInput = { ...inputOf(call.told['rawInput']), ...inputOf(update['rawInput']) };
    const known = Object.entries({ ...update, rawInput }).filter(([, value]) => !isEmpty(value));
    const whole = { ...call.told, ...Object.fromEntries(known) };
    call.onChange = onChange;
    return { toolUseId: call.id, name: call.name, call: whole, diffs: call.diffs };
  }

  /** Lets go of what is over. What still runs may be told of in a later turn. */
  turnOver(): void {
    for (const [agentId, call] of this.#calls) {
      if (!call.isOver && call.output === '') continue;
      this.#letGo(call);
      call.isCut = true;
      if (call.isOver) this.#calls.delete(agentId);
    }
  }

  /** The agent is gone, and its calls with it. */
  clear(): void {
    for (const call of this.#calls.values()) this.#letGo(call);
    this.#calls.clear();
  }

  #find(update: Fields, isAnnounced: boolean): Call | undefined {
    const agentId = textIn(update, 'toolCallId');
    if (agentId === undefined) return undefined;
    const known = this.#calls.get(agentId);
    if (known !== undefined && !known.isCut && !(known.isOver && isAnnounced)) return known;
    if (known !== undefined) this.#letGo(known);
    const call: Call = {
      id: this.#freshId(agentId),
      name: known?.isCut === true ? known.name : '',
      told: known?.isCut === true ? known.told : {},
      isOver: false,
      isCut: false,
      isAsked: false,
      onChange: undefined,
      diffs: [],
      output: '',
      terminals: new Map(),
      saidUse: '',
      saidResult: '',
    };
    this.#calls.set(agentId, call);
    return call;
  }

  #put(call: Call, update: Fields): void {
    const told = Object.entries(update).filter(([, value]) => value !== undefined && value !== null);
    call.told = { ...call.told, ...Object.fromEntries(told) };
    call.name = callName(call);
    const content = readToolContent(listIn(call.told, 'content'), this.#options.cwd);
    // A call that is over often shows only that it went well; what it was about to change is then what it changed.
    if (content.diffs.length > 0) call.diffs = content.diffs;
    const status = textIn(call.told, 'status') ?? 'pending';
    this.#sayUse(call, status);
    const isShown = Array.isArray(update['content']);
    if (ENDS.has(status)) this.#sayResult(call, isShown ? content : { ...content, text: '' }, status !== 'completed');
    else if (status !== 'pending' && isShown) this.#sayOutput(call, content);
  }

  #sayUse(call: Call, status: string): void {
    const { told } = call;
    const [title, kind, parent] = [textIn(told, 'title'), textIn(told, 'kind'), parentOf(told)];
    const places = listIn(told, 'locations').flatMap((place) => toLocation(place, this.#options.cwd));
    const news: ToolUseNews = {
      id: call.id,
      name: call.name,
      input: inputOf(told['rawInput']),
      ...(title === undefined || title === call.name ? {} : { title }),
      ...(kind === undefined ? {} : { kind: KINDS[kind] ?? 'other' }),
      ...(places.length === 0 ? {} : { locations: places }),
      ...(parent === undefined ? {} : { parent_tool_use_id: this.#calls.get(parent)?.id ?? parent }),
    };
    const isOpen = status === 'pending' && !(call.isAsked && hasInput(told));
    const said = JSON.stringify([news, isOpen]);
    if (said === call.saidUse) return;
    call.saidUse = said;
    this.#options.writer.toolUse(news, { isOpen });
  }

  #sayOutput(call: Call, { text, terminalIds }: ToolContent): void {
    for (const id of terminalIds)
      if (!call.terminals.has(id))
        call.terminals.set(
          id,
          this.#options.terminals.follow(id, (piece) => this.#passOn(call, piece)),
        );
    // The content is told whole each time. Where it changed before its end, the result will tell it.
    if (text.startsWith(call.output)) this.#passOn(call, text.slice(call.output.length));
  }

  #passOn(call: Call, piece: string): void {
    const room = LONGEST_LIVE_OUTPUT - call.output.length;
    if (call.isOver || room <= 0 || piece === '') return;
    call.output += piece;
    this.#options.writer.toolOutput(call.id, piece.slice(0, room));
  }

  #sayResult(call: Call, content: ToolContent, isError: boolean): void {
    call.isOver = true;
    this.#options.onOver(call.id);
    const terminals = content.terminalIds.map((id) => this.#options.terminals.outputOf(id) ?? '');
    const shown = [content.text, ...terminals].filter(Boolean).join('\n');
    const result: Omit<ContentBlockOf<'tool_result'>, 'type'> = {
      tool_use_id: call.id,
      content: boundOutput(shown || rawOutputText(call.told['rawOutput']) || call.output),
      ...(isError ? { is_error: true } : {}),
      ...(call.diffs.length === 0 || isError ? {} : { diffs: call.diffs }),
      ...(content.attachments.length === 0 ? {} : { attachments: content.attachments }),
    };
    const said = JSON.stringify(result);
    if (said === call.saidResult) return;
    call.saidResult = said;
    this.#options.writer.toolResult(result);
  }

  /** The agent's own id, unless it stands in the session already. */
  #freshId(agentId: string): string {
    const mayBeUsed = this.#options.isContinued && agentId.length < RANDOM_ID_LENGTH;
    const id = mayBeUsed || this.#usedIds.has(agentId) ? newId('call') : agentId;
    this.#usedIds.add(id);
    return id;
  }

  #letGo(call: Call): void {
    for (const letGo of call.terminals.values()) letGo();
    call.terminals.clear();
  }
}

function toLocation(place: Fields, cwd: string): { path: string; line?: number }[] {
  const [path, line] = [textIn(place, 'path'), countIn(place, 'line')];
  return path === undefined ? [] : [{ path: pathBelow(cwd, path), ...(line === undefined ? {} : { line }) }];
}

/** Of what a foreign agent says beside the protocol: which call this one is part of. */
function parentOf(told: Fields): string | undefined {
  const meta = fieldsIn(told, '_meta');
  return textIn(fieldsIn(meta, 'claudeCode'), 'parentToolUseId') ?? textIn(meta, 'parentToolCallId');
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'object' && Object.keys(value).length === 0);
}

/** What a call would do, as far as it was told; two that would do the same are equal. */
function deedOf({ told, diffs }: Call): string {
  return JSON.stringify([told['kind'], inputOf(told['rawInput']), diffs]);
}

/** Whether the agent told the arguments of a call, be it that there are none. */
export function hasInput({ rawInput }: Fields): boolean {
  return rawInput !== undefined && rawInput !== null;
}

/** The arguments of a call, by their names. */
export function inputOf(rawInput: unknown): Record<string, unknown> {
  if (rawInput === undefined || rawInput === null) return {};
  if (typeof rawInput === 'object' && !Array.isArray(rawInput)) return { ...rawInput };
  return { input: rawInput };
}
