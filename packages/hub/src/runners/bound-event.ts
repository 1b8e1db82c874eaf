import type { Choice, Fault, RunnerEvent } from '@dragoman/protocol';
import { cut, keptApproval } from '../approvals/short-approval.ts';

const [ID_CHARS, NAME_CHARS, TITLE_CHARS, PATH_CHARS, TEXT_CHARS] = [500, 500, 1_000, 4_096, 4_000];
/** Models, modes, commands, files. */
const MOST_ENTRIES = 1_000;

/**
 * News of an agent, no longer than a list can show: what is in them stands in the row of the session, which every list
 * reads. Nothing where it names something that has no such name.
 */
export function boundEvent(event: RunnerEvent): RunnerEvent | undefined {
  if (!idsOf(event).every(isId)) return undefined;
  switch (event.type) {
    case 'approval-asked':
      return { ...event, approval: keptApproval(event.approval) };
    case 'agent-updated': {
      const { agentSessionId, title, model, mode, models, modes, commands } = event;
      return {
        ...event,
        ...(agentSessionId !== undefined && !isId(agentSessionId) && { agentSessionId: undefined }),
        ...(title !== undefined && { title: cut(title, TITLE_CHARS) }),
        ...(model !== undefined && { model: cut(model, NAME_CHARS) }),
        ...(mode !== undefined && { mode: cut(mode, NAME_CHARS) }),
        ...(models !== undefined && { models: boundChoices(models) }),
        ...(modes !== undefined && { modes: boundChoices(modes) }),
        ...(commands !== undefined && {
          commands: commands
            .filter(({ name }) => isId(name))
            .slice(0, MOST_ENTRIES)
            .map((command) => ({ ...command, ...described(command) })),
        }),
      };
    }
    case 'agent-state': {
      const { cwd, branch, error } = event;
      return {
        ...event,
        ...(cwd !== undefined && cwd.length > PATH_CHARS && { cwd: undefined }),
        ...(branch !== undefined && { branch: cut(branch, NAME_CHARS) }),
        ...(error !== undefined && { error: boundFault(error) }),
      };
    }
    case 'turn-finished':
      return event.error === undefined ? event : { ...event, error: boundFault(event.error) };
    case 'revert-failed':
      return { ...event, error: boundFault(event.error) };
    case 'reverted':
      return { ...event, files: event.files.filter(({ length }) => length <= PATH_CHARS).slice(0, MOST_ENTRIES) };
    default:
      return event;
  }
}

/** Whether something can be the name that events refer to each other by. */
export function isId(text: string): boolean {
  return text.length <= ID_CHARS;
}

function idsOf(event: RunnerEvent): string[] {
  const { turnId, promptId, messageId, revertId, approvalId, blockId } = event as Record<string, unknown>;
  const approval = event.type === 'approval-asked' ? [event.approval.id, event.approval.toolUseId] : [];
  return [turnId, promptId, messageId, revertId, approvalId, blockId, ...approval].filter(
    (id) => typeof id === 'string',
  );
}

function boundChoices(choices: readonly Choice[]): Choice[] {
  return choices
    .filter(({ id }) => isId(id))
    .slice(0, MOST_ENTRIES)
    .map((choice) => ({
      ...choice,
      ...(choice.name !== undefined && { name: cut(choice.name, NAME_CHARS) }),
      ...described(choice),
    }));
}

function described({ description }: { description?: string | undefined }): { description?: string } {
  return description === undefined ? {} : { description: cut(description, TITLE_CHARS) };
}

/** What went wrong, no longer than people read. */
export function boundFault({ code, message, fix }: Fault): Fault {
  return {
    code: cut(code, NAME_CHARS),
    message: cut(message, TEXT_CHARS),
    ...(fix !== undefined && { fix: cut(fix, TEXT_CHARS) }),
  };
}
