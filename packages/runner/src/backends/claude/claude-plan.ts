import type { ContentBlockOf } from '@dragoman/protocol';
import { type Fields, fieldsIn, listIn, textIn } from '../../backend/fields.ts';

type Entry = ContentBlockOf<'plan'>['entries'][number];

const STATES: ReadonlySet<string> = new Set(['pending', 'in_progress', 'completed', 'cancelled']);
/** The tools whose calls are the plan, and are shown as nothing else. */
const PLAN_TOOLS: ReadonlySet<string> = new Set(['TodoWrite', 'TaskCreate', 'TaskUpdate']);

/**
 * The plan that Claude Code keeps through calls of tools: the whole list each time (TodoWrite), or, in later releases, one
 * task made (TaskCreate) and moved on (TaskUpdate) after the other.
 */
export class ClaudePlan {
  readonly #onPlan: (entries: Entry[]) => void;
  #tasks: { callId: string; taskId: string | undefined; entry: Entry }[] = [];

  constructor(onPlan: (entries: Entry[]) => void) {
    this.#onPlan = onPlan;
  }

  /** Whether a call of this tool is about the plan. */
  static isPlanTool(name: string): boolean {
    return PLAN_TOOLS.has(name);
  }

  /** Takes a call. */
  take(callId: string, name: string, input: Fields): void {
    switch (name) {
      case 'TodoWrite':
        this.#tasks = [];
        return this.#onPlan(listIn(input, 'todos').map((todo) => toEntry(todo, 'content')));
      case 'TaskCreate':
        this.#tasks.push({ callId, taskId: undefined, entry: toEntry(input, 'subject') });
        return this.#tell();
      case 'TaskUpdate':
        return this.#update(textIn(input, 'taskId') ?? '', input);
      default:
    }
  }

  /** Takes what came of a call: the id that a task was given stands there. */
  result(callId: string, text: string, details: Fields): void {
    const task = this.#tasks.find((each) => each.callId === callId);
    if (task === undefined) return;
    task.taskId = textIn(fieldsIn(details, 'task'), 'id') ?? /#(\w+)/.exec(text)?.[1];
  }

  #update(taskId: string, input: Fields): void {
    const task = this.#tasks.find((each) => each.taskId === taskId);
    if (task === undefined) return;
    if (textIn(input, 'status') === 'deleted') this.#tasks = this.#tasks.filter((each) => each !== task);
    task.entry = {
      content: textIn(input, 'subject') ?? task.entry.content,
      status: textIn(input, 'status') === undefined ? task.entry.status : toEntry(input, 'subject').status,
    };
    this.#tell();
  }

  #tell(): void {
    this.#onPlan(this.#tasks.map(({ entry }) => entry));
  }
}

function toEntry(fields: Fields, contentField: string): Entry {
  const status = textIn(fields, 'status') ?? '';
  return {
    content: textIn(fields, contentField) ?? '',
    status: (STATES.has(status) ? status : 'pending') as Entry['status'],
  };
}
