import { z } from 'zod';
import { DOOM_LOOP_THRESHOLD } from '../turn/progress-guard.ts';

const milliseconds = z.int().min(1).max(86_400_000);
const path = z.string().min(1);

/** How the native agent works. */
const agentSchema = z
  .strictObject({
    model: z.string().min(1).optional().describe('Route or "provider/model" to use. Defaults to the route "default".'),
    agent: z.string().min(1).default('build').describe('Agent to use when none is named.'),
    loop: z
      .strictObject({
        threshold: z
          .int()
          .min(2)
          .max(100)
          .default(DOOM_LOOP_THRESHOLD)
          .describe('Number of identical calls in a row, with identical results, that count as an endless loop.'),
        action: z
          .enum(['stop', 'ask'])
          .default('stop')
          .describe('What to do then: end the turn, or ask someone if possible.'),
      })
      .prefault({}),
    budget: z
      .strictObject({
        steps: z.int().min(1).default(500).describe('Model calls in one turn.'),
        tokens: z.int().min(1).optional(),
        cost: z.number().positive().optional().describe('US dollars.'),
        minutes: z.number().positive().default(240),
        compactions: z.int().min(1).default(20),
      })
      .prefault({})
      .describe('Limits for one turn. A turn that reaches one is stopped.'),
    timeouts: z
      .strictObject({
        firstEventMs: milliseconds.default(180_000).describe('Time limit until the model starts to answer.'),
        idleMs: milliseconds.default(180_000).describe('Time limit between two pieces of its answer.'),
        toolMs: milliseconds.default(120_000).describe('Time limit for a tool that does not set its own.'),
        subagentMs: milliseconds.default(1_800_000),
        approvalMs: milliseconds.default(3_600_000).describe('Time limit for answering an approval.'),
      })
      .prefault({}),
    retry: z
      .strictObject({
        retries: z.int().min(0).max(20).default(5),
        firstDelayMs: milliseconds.default(2_000),
        maxDelayMs: milliseconds.default(30_000),
      })
      .prefault({})
      .describe('How often to retry a model call after a temporary failure.'),
    compaction: z
      .strictObject({
        auto: z.boolean().default(true).describe('Summarize a conversation automatically when it gets too long.'),
        reserved: z.int().min(0).optional().describe('Tokens kept free for the answer.'),
        threshold: z
          .number()
          .min(0.1)
          .max(1)
          .default(1)
          .describe('Share of the usable context at which the conversation is summarized.'),
      })
      .prefault({}),
    titles: z
      .strictObject({
        auto: z
          .boolean()
          .default(true)
          .describe('Let the model write session titles. Otherwise the title is the start of the first prompt.'),
        model: z
          .string()
          .min(1)
          .optional()
          .describe(
            'Route or "provider/model" for titles, such as a cheap model. Defaults to the model of the session.',
          ),
      })
      .prefault({})
      .describe('Session titles. Each takes one short model call during the first turn.'),
    snapshots: z.boolean().default(true).describe('Keep snapshots of files so that changes can be undone.'),
    instructions: z.array(path).default([]).describe('More instruction files in addition to AGENTS.md.'),
    agents: z.array(path).default([]).describe('More folders with agents as Markdown files.'),
    skills: z.array(path).default([]).describe('More folders with skills.'),
    tools: z
      .strictObject({
        folders: z.array(path).default([]).describe('More folders with your own tools.'),
        disabled: z.array(z.string()).default([]).describe('Tools that are not offered.'),
        trustedProjects: z
          .array(path)
          .default([])
          .describe(
            'Projects you trust, as full paths or starting with "~/". Programs in their .dragoman/tools are loaded, and their .dragoman/agents can grant permissions and change the built-in agents. "*" trusts all projects.',
          ),
        searchBudgetTokens: z
          .int()
          .min(0)
          .default(10_000)
          .describe(
            'When MCP tools need more tokens than this, the agent searches for tools instead of getting all of them in every request.',
          ),
      })
      .prefault({}),
    bash: z
      .strictObject({
        sandbox: z
          .boolean()
          .default(false)
          .describe(
            'Run commands in a sandbox that can only write inside the project, except in .git and similar folders.',
          ),
        network: z
          .boolean()
          .default(false)
          .describe('Whether sandboxed commands can use the network, including servers on this machine.'),
      })
      .prefault({}),
  })
  .prefault({})
  .describe('The native agent.');

/** What the rest of the room reads. */
export type AgentSettings = z.infer<typeof agentSchema>;
export { agentSchema };
