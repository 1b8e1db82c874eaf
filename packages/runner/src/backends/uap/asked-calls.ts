import { type Approval, type BackendEvent, type ContentBlock, isUnreadableCommand } from '@dragoman/protocol';
import { commandSubjects } from '../../backend/command-subjects.ts';
import { permissionQuestion } from '../../backend/permission-question.ts';

type Question = NonNullable<Approval['question']>;
type ToolUse = Extract<ContentBlock, { type: 'tool_use' }>;

/**
 * What the permission rules are asked where an agent asks people.
 *
 * Agents tell a command as one text, and rules judge each command in it: a rule that allows `git *` must not allow what
 * stands behind an `&&`. An agent that says nothing for the rules but names its call is asked about by that call.
 */
export class AskedCalls {
  readonly #calls = new Map<string, ToolUse>();

  /** Another turn begins. */
  clear(): void {
    this.#calls.clear();
  }

  /** Sees what the agent says; a question to people comes back with what the rules are asked, where that is known. */
  withQuestion(event: BackendEvent, cwd: string): BackendEvent {
    if ((event.type === 'block-start' || event.type === 'block-stop') && event.block.type === 'tool_use')
      this.#calls.set(event.block.id, event.block);
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

  /** The call that an event tells otherwise than it was told before. */
  changedCall(event: BackendEvent): string | undefined {
    if ((event.type !== 'block-start' && event.type !== 'block-stop') || event.block.type !== 'tool_use')
      return undefined;
    const { id, name, input } = event.block;
    const before = this.#calls.get(id);
    const isSame =
      before === undefined || JSON.stringify([before.name, before.input]) === JSON.stringify([name, input]);
    return isSame ? undefined : id;
  }
}

function questionOf(call: ToolUse, cwd: string): Question {
  const { name, kind = name === 'bash' ? 'execute' : undefined, input, locations } = call;
  return permissionQuestion({ kind, rawInput: input, locations }, name, cwd);
}

function splitCommands({ tool, subjects }: Question): Question {
  if (tool !== 'bash') return { tool, subjects };
  const split = subjects.flatMap((subject) =>
    subject.kind === 'command' && !isUnreadableCommand(subject.value) ? commandSubjects(subject.value) : [subject],
  );
  return { tool, subjects: split.filter(({ value }, at) => split.findIndex((one) => one.value === value) === at) };
}
