import { z } from 'zod';
import { Tool, ToolError } from '../tool.ts';

/** An agent that tasks can be given to. */
interface TaskAgent {
  name: string;
  description: string;
}

/** What a subagent is given to do. */
export interface TaskRequest {
  description: string;
  prompt: string;
  agent: string;
  /** Goes on with an earlier task instead of beginning a new one. */
  taskID: string | undefined;
}

/** What came of it. */
export interface TaskOutcome {
  taskID: string;
  text: string;
  /** Why it ended early, where it did; what it had said until then is kept. */
  problem?: string;
}

/** Who can be given tasks, and how they are done. */
export interface TaskToolOptions {
  agents: readonly TaskAgent[];
  run: (task: TaskRequest, context: Tool.Context) => Promise<TaskOutcome>;
  timeoutMs: number;
}

/** Hands work to a subagent with a context of its own. Several may work at once; each can be gone on with later. */
export function taskTool({ agents, run, timeoutMs }: TaskToolOptions): Tool.Info {
  return Tool.define({
    id: 'task',
    description: `Give a task to a subagent. It works on its own, sees nothing of this conversation, and reports once; several can work at the same time when they are called in one step. Say everything it needs to know and what its report should hold. Agents:\n${agents.map(({ name, description }) => `- ${name}: ${description}`).join('\n')}`,
    parameters: z.object({
      description: z.string().min(1).describe('The task in three to five words.'),
      prompt: z.string().min(1).describe('The whole task.'),
      agent: z.string().describe('Which agent does it.'),
      taskID: z.string().optional().describe('Of an earlier task, to go on with it.'),
    }),
    isConcurrent: true,
    subjects: ({ agent }) => [{ kind: 'name', value: agent }],
    timeoutMs: () => timeoutMs,
    async execute({ description, prompt, agent, taskID }, context) {
      if (!agents.some(({ name }) => name === agent))
        throw new ToolError(
          `There is no agent "${agent}". The agents are: ${agents.map(({ name }) => name).join(', ')}.`,
        );
      context.metadata({ title: description });
      const outcome = await run({ description, prompt, agent, taskID }, context);
      const metadata = { taskID: outcome.taskID, agent };
      const note = `[task ${outcome.taskID}: give this id as taskID to go on with it]`;
      if (outcome.problem !== undefined && outcome.text === '')
        throw new ToolError(`The task ended early: ${outcome.problem}\n\n${note}`, { metadata });
      const ended = outcome.problem === undefined ? '' : `\n\n[It ended early: ${outcome.problem}]`;
      return { title: description, output: `${outcome.text}${ended}\n\n${note}`, metadata };
    },
  });
}
