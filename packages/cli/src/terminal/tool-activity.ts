import type { AgentEvent, SessionState, Todo, ToolPart } from '@dragoman/protocol';
import { isOpenToolState } from '@dragoman/protocol';
import { todoLines } from './notices.ts';
import { endedToolLines, failureOf, openToolLines, type ToolLineContext } from './tool-line.ts';

interface Call {
  part: ToolPart;
  /** What it changed the list of todos to. */
  todos?: readonly Todo[];
  /** The session of the subagent that does it. */
  subagent?: Subagent;
}

interface Subagent {
  calls: Call[];
  /** What ended, as it is shown. */
  ended: string[][];
}

/** Of a subagent's calls the last ones are shown. */
const SHOWN_OPEN = 3;
const SHOWN_ENDED = 8;

/**
 * The tool calls of a session that are not written yet, in the order in which they began, and those of its subagents
 * below the call that started each.
 */
export class ToolActivity {
  readonly #context: () => ToolLineContext;
  #calls: Call[] = [];
  readonly #subagents = new Map<string, Subagent>();
  /** Calls whose change was shown before they ran. */
  readonly #shownChanges = new Set<string>();
  /** Of a subagent that no call is known for. */
  #loose: string[] = [];

  constructor(context: () => ToolLineContext) {
    this.#context = context;
  }

  /** The change of this call is not shown again. */
  noteShownChange(callID: string): void {
    this.#shownChanges.add(callID);
  }

  /** Takes in what happened to a call. */
  note(event: AgentEvent, state: SessionState, isSubagent: boolean): void {
    const subagent = isSubagent ? this.#subagentOf(state) : undefined;
    const calls = subagent?.calls ?? this.#calls;
    const index = 'partID' in event ? calls.findIndex(({ part }) => part.id === event.partID) : -1;
    if (event.type === 'part-removed') {
      if (index !== -1) calls.splice(index, 1);
      return;
    }
    const part = event.type === 'part-added' ? event.part : findPart(state, event);
    if (part?.type !== 'tool') return;
    const call: Call = { ...calls[index], part };
    if (index === -1) calls.push(call);
    else calls[index] = call;
    if (subagent !== undefined && !isOpenToolState(call.part.state)) this.#endSubagentCall(subagent, call);
  }

  /** The list belongs to the call that writes it; gives back whether there is one. */
  noteTodos(todos: readonly Todo[]): boolean {
    const call = this.#calls.find(({ part }) => part.tool === 'todo-write' && isOpenToolState(part.state));
    if (call !== undefined) call.todos = todos;
    return call !== undefined;
  }

  /** Gives out the lines of calls that ended. In order means: none before one that began earlier and still runs. */
  takeEnded(isInOrder: boolean): string[] {
    const firstOpen = this.#calls.findIndex(({ part }) => isOpenToolState(part.state));
    const isTaken = ({ part }: Call, index: number) =>
      isInOrder ? firstOpen === -1 || index < firstOpen : !isOpenToolState(part.state);
    const lines = [
      ...this.#loose,
      ...this.#calls.filter(isTaken).flatMap((call) => endedLines(call, this.#contextOf(call))),
    ];
    this.#loose = [];
    this.#calls = this.#calls.filter((call, index) => !isTaken(call, index));
    return lines;
  }

  /** Calls that will not end any more, as the view is closed. */
  takeOpen(now: number): string[] {
    const lines = this.#calls.flatMap(({ part }) => openToolLines(part, now, this.#context()).slice(0, 1));
    this.#calls = [];
    return lines;
  }

  /** The calls as they stand now. */
  liveLines(now: number): string[] {
    return this.#calls.flatMap((call) => liveLines(call, now, this.#context()));
  }

  #contextOf({ part }: Call): ToolLineContext {
    return { ...this.#context(), isChangeShown: this.#shownChanges.has(part.callID) };
  }

  #subagentOf(state: SessionState): Subagent {
    const { id, title, parentID } = state.info;
    const known = this.#subagents.get(id);
    if (known !== undefined && this.#isLinked(known)) return known;
    const subagent: Subagent = known ?? { calls: [], ended: [] };
    this.#subagents.set(id, subagent);
    const parent = parentID === undefined ? undefined : this.#subagents.get(parentID);
    const open = (parent?.calls ?? this.#calls).filter(
      ({ part, subagent: taken }) => part.tool === 'task' && taken === undefined && isOpenToolState(part.state),
    );
    const call =
      open.find(({ part }) => taskOf(part) === id) ??
      open.find(({ part }) => part.state.input['description'] === title) ??
      open.find(({ part }) => taskOf(part) === undefined);
    if (call !== undefined) {
      subagent.ended = [];
      call.subagent = subagent;
    }
    return subagent;
  }

  #isLinked(subagent: Subagent): boolean {
    const all = [this.#calls, ...Array.from(this.#subagents.values(), ({ calls }) => calls)];
    return all.some((calls) => calls.some((call) => call.subagent === subagent));
  }

  #endSubagentCall(subagent: Subagent, call: Call): void {
    subagent.calls = subagent.calls.filter(({ part }) => part.id !== call.part.id);
    const lines = endedLines(call, inner(this.#context())).slice(0, isGood(call.part) ? 1 : 2);
    if (this.#isLinked(subagent)) subagent.ended.push(lines);
    else this.#loose.push(...lines.map(indented));
  }
}

function findPart(state: SessionState, event: AgentEvent) {
  if (!('partID' in event) || !('messageID' in event)) return undefined;
  const message = state.messages.findLast(({ info }) => info.id === event.messageID);
  return message?.parts.findLast(({ id }) => id === event.partID);
}

/** Which session a call of the task tool says that it has. */
function taskOf({ state }: ToolPart): unknown {
  const metadata = 'metadata' in state ? state.metadata : undefined;
  return metadata?.['taskID'] ?? state.input['taskID'];
}

function isGood(part: ToolPart): boolean {
  return part.state.status === 'completed' && failureOf(part) === undefined;
}

function endedLines({ part, todos, subagent }: Call, context: ToolLineContext): string[] {
  const lines = endedToolLines(part, context);
  if (todos !== undefined) return [...lines, ...todoLines(todos, context)];
  if (subagent === undefined || subagent.ended.length === 0) return lines;
  const left = subagent.ended.length - SHOWN_ENDED;
  const more = left > 0 ? [context.paint('dim', `… ${left} earlier`)] : [];
  return [lines[0]!, ...[...more, ...subagent.ended.slice(-SHOWN_ENDED).flat()].map(indented), ...lines.slice(1)];
}

function liveLines({ part, subagent }: Call, now: number, context: ToolLineContext): string[] {
  if (!isOpenToolState(part.state)) return endedToolLines(part, context).slice(0, 1);
  const lines = openToolLines(part, now, context);
  if (subagent === undefined) return lines;
  const [head = ''] = lines;
  const open = subagent.calls.flatMap((call) => liveLines(call, now, inner(context)).slice(0, 1));
  const ended = subagent.ended.map((call) => call[0]!);
  return [head, ...[...ended, ...open].slice(-SHOWN_OPEN).map(indented)];
}

function inner(context: ToolLineContext): ToolLineContext {
  return { ...context, width: context.width - 2 };
}

function indented(line: string): string {
  return `  ${line}`;
}
