import { type Approval, type BackendEvent, type ContentBlock, isUnreadableCommand } from '@dragoman/protocol';
import { commandSubjects } from '../../backend/command-subjects.ts';
import { permissionQuestion } from '../../backend/permission-question.ts';
import type { OpenQuestions } from './open-questions.ts';

type Question = NonNullable<Approval['question']>;
type ToolUse = Extract<ContentBlock, { type: 'tool_use' }>;

/**
 * What the permission rules are asked where an agent asks people.
 *
 * Agents tell a command as one text, and rules judge each command in it: a rule that allows `git *` must not allow what
 * stands behind an `&&`. An agent that says nothing for the rules but names its call is asked about by that call, once it
 * has told the call to its end.
 */
export class AskedCalls {
  readonly #calls = new Map<string, ToolUse>();

  /** Another turn begins. */
  clear(): void {
    this.#calls.clear();
  }

  /** Sees what the agent says; a question to people comes back with what the rules are asked, where that is known. */
  withQuestion(event: BackendEvent, cwd: string): BackendEvent {
    const told = toldCall(event);
    if (told?.call !== undefined) this.#calls.set(told.id, told.call);
    else if (told !== undefined) this.#calls.delete(told.id);
    if (event.type !== 'approval-asked') return event;
    const { approval } = event;
    const call = this.#calls.get(approval.toolUseId ?? '');
    const question = approval.question ?? (call === undefined ? undefined : questionOf(call, cwd));
    const known = {
      ...(call !== undefined && { call: { name: call.name, input: call.input } }),
      ...(question !== undefined && { question: splitCommands(question) }),
    };
    return { ...event, approval: { ...approval, ...known } };
  }

  /** The questions that were asked about another call than the one that the event tells now under the same id. */
  askedOtherwise(event: BackendEvent, questions: OpenQuestions): Approval[] {
    const told = toldCall(event);
    if (told === undefined) return [];
    return questions.about(told.id).filter(({ call }) => deedOf(call) !== deedOf(told.call));
  }
}

/** The call that an event is about, whole; without `call` while its arguments are still to come. */
function toldCall(event: BackendEvent): { id: string; call?: ToolUse } | undefined {
  if ((event.type !== 'block-start' && event.type !== 'block-stop') || event.block.type !== 'tool_use')
    return undefined;
  return { id: event.block.id, ...(event.type === 'block-stop' && { call: event.block }) };
}

function deedOf(call: Approval['call']): string | undefined {
  return call && JSON.stringify([call.name, call.input]);
}

function questionOf(call: ToolUse, cwd: string): Question {
  const { name, kind, input, locations } = call;
  return permissionQuestion({ kind, rawInput: input, locations }, name, cwd);
}

function splitCommands({ tool, subjects }: Question): Question {
  if (tool !== 'bash') return { tool, subjects };
  const split = subjects.flatMap((subject) =>
    subject.kind === 'command' && !isUnreadableCommand(subject.value) ? commandSubjects(subject.value) : [subject],
  );
  return { tool, subjects: split.filter(({ value }, at) => split.findIndex((one) => one.value === value) === at) };
}
