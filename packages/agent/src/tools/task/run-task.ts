import { DragomanError, newId, type ToolPart } from '@dragoman/protocol';
import type { Agent } from '../../open-agent.ts';
import type { SessionRunner } from '../../session/session-runner.ts';
import { type Tool, ToolError } from '../tool.ts';
import type { TaskOutcome, TaskRequest } from './task-tool.ts';

/**
 * Does a task in a session of its own, below the one that asked. What the subagent is at is shown on the call; when the
 * call is called off or its time is up, the subagent stops and what it said until then is kept.
 */
export async function runTask(
  task: TaskRequest,
  context: Tool.Context,
  { agent, runners }: { agent: Pick<Agent, 'create' | 'open'>; runners: ReadonlyMap<string, SessionRunner> },
): Promise<TaskOutcome> {
  const parent = runners.get(context.sessionID);
  if (parent === undefined) throw new ToolError('The session that gave this task is gone.');
  const child = await openChild(task, parent, context, agent);
  noteTask(task, parent, context);
  // Whoever watches knows by it which call the session belongs to, before anything happens there.
  context.metadata({ metadata: { taskID: child.id, agent: task.agent } });
  const stop = () => void child.abort();
  context.abort.addEventListener('abort', stop, { once: true });
  const unsubscribe = child.subscribe({
    event({ event }, state) {
      if (event.type !== 'tool-state') return;
      const part = state.messages.at(-1)?.parts.find((one): one is ToolPart => one.id === event.partID);
      if (part !== undefined)
        context.metadata({
          metadata: { taskID: child.id, agent: task.agent, at: part.tool, calls: state.counters.toolCalls },
        });
    },
  });
  try {
    context.abort.throwIfAborted(); // It may have been called off while the session was opened.
    await child.prompt({ text: task.prompt });
    const result = await child.idle();
    return {
      taskID: child.id,
      text: result?.text ?? '',
      ...(result?.error === undefined ? {} : { problem: result.error.message }),
    };
  } finally {
    unsubscribe();
    context.abort.removeEventListener('abort', stop);
    await child.close();
  }
}

async function openChild(
  task: TaskRequest,
  parent: SessionRunner,
  { cwd }: Tool.Context,
  agent: Pick<Agent, 'create' | 'open'>,
): Promise<SessionRunner> {
  if (task.taskID === undefined) {
    const { providerID, modelID, route } = parent.state.info.model;
    return agent.create({
      cwd,
      title: task.description,
      agent: task.agent,
      fallbackModel: route ?? `${providerID}/${modelID}`,
      parent: parent.state,
    });
  }
  try {
    return await agent.open(task.taskID);
  } catch (error) {
    if (error instanceof DragomanError) throw new ToolError(`The task cannot be gone on with: ${error.message}`);
    throw error;
  }
}

/** The message that holds the call says what was asked for. */
function noteTask(
  { prompt, description, agent }: TaskRequest,
  parent: SessionRunner,
  { messageID }: Tool.Context,
): void {
  parent.session.append({
    type: 'part-added',
    part: { id: newId('prt'), sessionID: parent.id, messageID, type: 'subtask', prompt, description, agent },
  });
}
