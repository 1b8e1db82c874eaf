import { newId, type SubtaskPart, type ToolPart } from '@dragoman/protocol';
import { newAssistantInfo } from '../session/assistant-info.ts';
import { runToolCall } from '../tools/run-tool-call.ts';
import type { TurnOptions } from './run-turn.ts';

/** Runs the subtasks that a prompt asks for with the task tool, before the model is asked; it sees them as calls it made. */
export async function runSubtasks(
  subtasks: readonly SubtaskPart[],
  options: Omit<TurnOptions, 'atBoundary' | 'messageID'>,
): Promise<void> {
  const { session, model, agent, tools } = options;
  const task = tools.find('task');
  if (task === undefined) return;
  const at = Date.now();
  const info = newAssistantInfo(session, { model, agent, parentID: subtasks[0]!.messageID, at });
  const messageID = info.id;
  session.append({
    type: 'message-added',
    message: { info: { ...info, time: { created: at, completed: at }, finish: 'tool-calls' }, parts: [] },
  });
  const running = subtasks.map((subtask) => {
    const input = { description: subtask.description, prompt: subtask.prompt, agent: subtask.agent };
    const partID = newId('prt');
    const callID = `call_${partID}`;
    session.append({ type: 'tool-input-start', messageID, partID, callID, tool: 'task' });
    session.append({ type: 'tool-call', messageID, partID, input });
    const part: ToolPart = {
      id: partID,
      sessionID: session.id,
      messageID,
      type: 'tool',
      callID,
      tool: 'task',
      state: { status: 'pending', input, raw: JSON.stringify(input) },
    };
    return runToolCall(
      task,
      part,
      {
        session,
        agent,
        permit: options.permit,
        outputFolder: options.outputFolder,
        timeoutMs: options.settings.toolMs,
        graceMs: options.settings.graceMs,
        abort: options.abort,
        now: Date.now,
        beforeChange: async () => {},
      },
      () => undefined,
    );
  });
  await Promise.all(running);
}
