import { z } from 'zod';
import { DOOM_LOOP_THRESHOLD } from '../turn/progress-guard.ts';

const milliseconds = z.int().min(1).max(86_400_000);
const path = z.string().min(1);

/** How the native agent works. */
const agentSchema = z
  .strictObject({
    model: z
      .string()
      .min(1)
      .optional()
      .describe('The route or "provider/model" it uses; by default the route "default".'),
    agent: z.string().min(1).default('build').describe('Which agent answers, where none is named.'),
    loop: z
      .strictObject({
        threshold: z
          .int()
          .min(2)
          .max(100)
          .default(DOOM_LOOP_THRESHOLD)
          .describe('So many identical calls with identical results in a row are an endless loop.'),
        action: z
          .enum(['stop', 'ask'])
          .default('stop')
          .describe('What happens then: the turn ends, or a person is asked where one is there.'),
      })
      .prefault({}),
    budget: z
      .strictObject({
        steps: z.int().min(1).default(500).describe('Model calls in one turn.'),
        tokens: z.int().min(1).optional(),
        cost: z.number().positive().optional().describe('In US dollars.'),
        minutes: z.number().positive().default(240),
        compactions: z.int().min(1).default(20),
      })
      .prefault({})
      .describe('What one turn may use up before it is ended.'),
    timeouts: z
      .strictObject({
        firstEventMs: milliseconds.default(180_000).describe('Until the model begins to answer.'),
        idleMs: milliseconds.default(180_000).describe('Between two pieces of its answer.'),
        toolMs: milliseconds.default(120_000).describe('For a tool that has no limit of its own.'),
        subagentMs: milliseconds.default(1_800_000),
        approvalMs: milliseconds.default(3_600_000).describe('Until a person answers whether a call may run.'),
      })
      .prefault({}),
    retry: z
      .strictObject({
        retries: z.int().min(0).max(20).default(5),
        firstDelayMs: milliseconds.default(2_000),
        maxDelayMs: milliseconds.default(30_000),
      })
      .prefault({})
      .describe('How often a model call that failed for a passing reason is tried again.'),
    compaction: z
      .strictObject({
        auto: z.boolean().default(true).describe('Whether a conversation that grows too long is shortened by itself.'),
        reserved: z.int().min(0).optional().describe('Tokens kept free for the answer.'),
        threshold: z.number().min(0.1).max(1).default(1).describe('At which share of what is usable it is shortened.'),
      })
      .prefault({}),
    titles: z
      .strictObject({
        auto: z
          .boolean()
          .default(true)
          .describe('Whether the model names sessions. They are called by their first words otherwise.'),
        model: z
          .string()
          .min(1)
          .optional()
          .describe('The route or "provider/model" that does it, such as a cheap one; by default that of the session.'),
      })
      .prefault({})
      .describe('What sessions are called: one short model call for each, beside its first turn.'),
    snapshots: z
      .boolean()
      .default(true)
      .describe('Whether the state of files is kept so that changes can be taken back.'),
    instructions: z.array(path).default([]).describe('More files with instructions, beside AGENTS.md.'),
    agents: z.array(path).default([]).describe('More folders with agents as Markdown files.'),
    skills: z.array(path).default([]).describe('More folders with skills.'),
    tools: z
      .strictObject({
        folders: z.array(path).default([]).describe('More folders with tools of your own.'),
        disabled: z.array(z.string()).default([]).describe('Tools that are not offered.'),
        trustedProjects: z
          .array(path)
          .default([])
          .describe(
            'Projects, by their whole path or below "~/", whose .dragoman/tools may be loaded, which are programs, and whose .dragoman/agents may allow things and change the built-in agents. "*" trusts all.',
          ),
        searchBudgetTokens: z
          .int()
          .min(0)
          .default(10_000)
          .describe('When MCP tools take more than this, they are found by search instead of being sent every time.'),
      })
      .prefault({}),
    bash: z
      .strictObject({
        sandbox: z
          .boolean()
          .default(false)
          .describe(
            'Runs commands in a sandbox that can only write to the project, and not to .git and its like there.',
          ),
        network: z
          .boolean()
          .default(false)
          .describe('Whether sandboxed commands may use the network, and with it the servers of this machine.'),
      })
      .prefault({}),
  })
  .prefault({})
  .describe('The native agent.');

/** What the rest of the room reads. */
export type AgentSettings = z.infer<typeof agentSchema>;
export { agentSchema };
