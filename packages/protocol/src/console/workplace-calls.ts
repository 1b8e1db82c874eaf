import { z } from 'zod';
import type { ApiCall } from '../api/api-call.ts';
import { jsonValueSchema } from '../json/json-value.ts';
import { faultSchema } from '../uap/backend-event.ts';
import type { WORKPLACE_ROUTES } from './workplace-routes.ts';

const action = z.enum(['allow', 'ask', 'deny']);
const folder = z.string().min(1).max(4096);
const toolSchema = z.object({ name: z.string(), description: z.string() });
const ruleSchema = z.object({ action, tool: z.string(), pattern: z.string(), origin: z.string() });

/** An MCP server as it stands. */
export const mcpServerInfoSchema = z.object({
  name: z.string(),
  state: z.enum(['connecting', 'connected', 'needs-login', 'failed', 'disabled']),
  target: z.string().describe('Its command or address, without secrets.'),
  tools: z.array(toolSchema),
  problem: faultSchema.optional(),
});
export type McpServerInfo = z.infer<typeof mcpServerInfoSchema>;

/** A skill that was found. */
export const skillInfoSchema = z.object({
  name: z.string(),
  description: z.string(),
  path: z.string(),
  problem: z.string().optional(),
});
export type SkillInfo = z.infer<typeof skillInfoSchema>;

/** What would become of a call. */
export const permissionAnswerSchema = z.object({
  action,
  note: z.string().optional(),
  subjects: z.array(
    z.object({
      action,
      kind: z.string().optional(),
      value: z.string().optional(),
      reason: z.string(),
      rules: z.array(ruleSchema).describe('Those that match, the strongest first.'),
    }),
  ),
});
export type PermissionAnswer = z.infer<typeof permissionAnswerSchema>;

/** Whether an agent keeps the rules of the protocol, each for itself. */
const agentCheckSchema = z.object({
  isWell: z.boolean(),
  rules: z.array(
    z.object({
      id: z.string(),
      title: z.string(),
      outcome: z
        .enum(['passed', 'failed', 'warning', 'skipped'])
        .describe('Advice that is not followed is a warning; what had no occasion was skipped.'),
      says: z.string().optional().describe('What was seen, and how to mend it.'),
    }),
  ),
  problem: faultSchema.optional(),
});
export type AgentCheck = z.infer<typeof agentCheckSchema>;

/** The shapes of every call, under the names of `WORKPLACE_ROUTES`. */
export const WORKPLACE_CALLS = {
  readWorkplace: {
    query: z.object({ folder: folder.optional().describe('The server’s own where nothing is said.') }),
    answer: z.object({
      root: z.string(),
      agents: z.array(z.object({ name: z.string(), description: z.string().optional() })),
      tools: z.array(toolSchema),
      mcp: z.array(mcpServerInfoSchema),
      skills: z.array(skillInfoSchema),
      instructions: z.array(z.string()),
      problems: z.array(z.string()).describe('What is wrong with other files: of agents, tools and instructions.'),
    }),
  },
  explainPermission: {
    body: z.strictObject({
      folder: folder.optional(),
      agent: z.string().optional(),
      tool: z.string().min(1).max(200),
      value: z.string().max(10_000).describe('The command, the path or the address it is called with.'),
    }),
    answer: permissionAnswerSchema,
  },
  testMcpServer: {
    body: z.strictObject({ server: z.record(z.string(), jsonValueSchema).describe('What `mcp.NAME` will say.') }),
    answer: z.object({ tools: z.array(toolSchema), problem: faultSchema.optional() }),
  },
  checkAgent: {
    body: z.strictObject({
      name: z.string().optional().describe('An agent of the configuration or a well-known one.'),
      agent: z.record(z.string(), jsonValueSchema).optional().describe('What `agents.NAME` will say.'),
      folder: folder.optional(),
    }),
    answer: agentCheckSchema,
  },
} as const satisfies Record<keyof typeof WORKPLACE_ROUTES, ApiCall>;
