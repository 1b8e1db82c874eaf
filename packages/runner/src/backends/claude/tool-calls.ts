import type { FileDiff } from '@dragoman/protocol';
import type { BlockWriter } from '../../backend/block-writer.ts';
import { boundOutput } from '../../backend/bound-output.ts';
import { type Fields, fieldsIn, listIn, textIn, toFields } from '../../backend/fields.ts';
import { ClaudePlan } from './claude-plan.ts';
import { describeTool } from './describe-tool.ts';
import { doneDiffs, proposedDiffs } from './edit-diffs.ts';
import { readResult } from './read-result.ts';

interface Call {
  name: string;
  parent: string | undefined;
  /** Its input in pieces, while it is written. */
  inputText: string;
  /** It is shown as something else: a plan, a question. */
  isHidden: boolean;
  isOver: boolean;
  diffs: FileDiff[];
  /** The call as it was said last, so that nothing is said twice. */
  said: string;
}

/** What the calls need of the session. */
export interface ToolCallsOptions {
  writer: BlockWriter;
  cwd: string;
  /** A call has its result. */
  onOver: (toolUseId: string) => void;
}

/**
 * The calls of Claude Code as `tool_use` and `tool_result`.
 *
 * A call is told twice: in pieces while the model writes it, and whole when it is written. Whichever comes last closes it.
 */
export class ToolCalls {
  readonly #options: ToolCallsOptions;
  readonly #calls = new Map<string, Call>();
  readonly #plan: ClaudePlan;

  constructor(options: ToolCallsOptions) {
    this.#options = options;
    this.#plan = new ClaudePlan((entries) => options.writer.plan(entries));
  }

  /** The model begins to write a call. */
  begin(id: string, name: string, parent: string | undefined): void {
    const call = this.#call(id, name, parent);
    if (!call.isHidden)
      this.#options.writer.toolUse({ id, name, ...parentOf(call), ...kindOf(name) }, { isOpen: true });
  }

  /** A piece of its input. */
  input(id: string, delta: string): void {
    const call = this.#calls.get(id);
    if (call === undefined) return;
    call.inputText += delta;
    if (!call.isHidden) this.#options.writer.toolInput(id, delta);
  }

  /** Its input is written. Where that cannot be read, the whole call is still to come. */
  endInput(id: string): void {
    const call = this.#calls.get(id);
    const input = call && readInput(call.inputText);
    if (input !== undefined) this.whole(id, call!.name, input, call!.parent);
  }

  /** The whole call. */
  whole(id: string, name: string, input: Fields, parent: string | undefined): void {
    const call = this.#call(id, name, parent);
    const said = JSON.stringify([name, input]);
    if (said === call.said) return;
    call.said = said;
    if (ClaudePlan.isPlanTool(name) && call.parent === undefined) this.#plan.take(id, name, input);
    if (call.isHidden) return;
    const { writer, cwd } = this.#options;
    writer.toolUse({ id, name, input: { ...input }, ...describeTool(name, input, cwd), ...parentOf(call) });
  }

  /** People are about to be asked about a call, which waits meanwhile. Gives back what it would change. */
  ask(id: string, name: string, input: Fields): FileDiff[] {
    this.whole(id, name, input, undefined);
    const diffs = proposedDiffs(name, input, this.#options.cwd);
    this.#call(id, name, undefined).diffs = diffs;
    return diffs;
  }

  /** What came of a call; `details` is what Claude Code tells of it beside what the model is told. */
  result(block: Fields, details: Fields): void {
    const id = textIn(block, 'tool_use_id');
    if (id === undefined) return;
    this.#options.onOver(id);
    const call = this.#calls.get(id);
    if (call !== undefined) call.isOver = true;
    const { text, attachments } = readResult(block['content']);
    const isError = block['is_error'] === true;
    if (call?.isHidden === true) return this.#plan.result(id, text, details);
    const done = doneDiffs(details, this.#options.cwd);
    const diffs = done.length > 0 ? done : (call?.diffs ?? []);
    this.#options.writer.toolResult({
      tool_use_id: id,
      content: boundOutput(text),
      ...(isError ? { is_error: true } : {}),
      ...(isError || diffs.length === 0 ? {} : { diffs }),
      ...(attachments.length === 0 ? {} : { attachments }),
    });
  }

  /** Lets go of what is over. What still runs may be told of in a later turn. */
  turnOver(): void {
    for (const [id, call] of this.#calls) if (call.isOver) this.#calls.delete(id);
  }

  /** Claude Code is gone, and its calls with it. */
  clear(): void {
    this.#calls.clear();
  }

  #call(id: string, name: string, parent: string | undefined): Call {
    let call = this.#calls.get(id);
    if (call === undefined) {
      const isHidden = ClaudePlan.isPlanTool(name) || name === 'AskUserQuestion';
      call = { name, parent, inputText: '', isHidden, isOver: false, diffs: [], said: '' };
      this.#calls.set(id, call);
    }
    return call;
  }
}

function parentOf({ parent }: Call): { parent_tool_use_id?: string } {
  return parent === undefined ? {} : { parent_tool_use_id: parent };
}

function readInput(text: string): Fields | undefined {
  try {
    return toFields(JSON.parse(text));
  } catch {
    return undefined;
  }
}

function kindOf(name: string): ReturnType<typeof describeTool> {
  return describeTool(name, {}, '/');
}

/** Results of tools that the model's provider runs stand in the answer itself. */
export function isProviderResult(block: Fields): boolean {
  return /^(?!tool_result$)\w+_tool_result$/.test(textIn(block, 'type') ?? '');
}

/** Such a result as one like any other: the places that were found, or why there are none. */
export function fromProviderResult(block: Fields): Fields {
  const content = block['content'];
  const error = textIn(fieldsIn(block, 'content'), 'error_code');
  const places = listIn(block, 'content').flatMap((each) => {
    const [title, url] = [textIn(each, 'title'), textIn(each, 'url')];
    return url === undefined ? [] : [{ type: 'text', text: title === undefined ? url : `${title}: ${url}` }];
  });
  return {
    tool_use_id: block['tool_use_id'],
    content: error ?? (places.length > 0 ? places : typeof content === 'string' ? content : ''),
    is_error: error !== undefined,
  };
}
