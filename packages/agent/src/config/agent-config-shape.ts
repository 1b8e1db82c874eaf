import { permissionsConfigSchema } from '@dragoman/protocol';
import { z } from 'zod';
import { mcpConfigShape } from '../mcp/mcp-config.ts';
import { webSearchConfigSchema } from '../tools/web/web-search-config.ts';
import { agentSchema } from './agent-config.ts';

/** The agent's sections of `dragoman.json`. */
export const agentConfigShape = {
  agent: agentSchema,
  permissions: permissionsConfigSchema
    .optional()
    .describe(
      'What tools can do: allow, ask or deny, by tool or by pattern, such as { "bash": { "git *": "allow", "rm *": "deny" } }.',
    ),
  webSearch: webSearchConfigSchema.optional().describe('Search engine for the web-search tool.'),
  ...mcpConfigShape,
};

const agentConfigSchema = z.strictObject(agentConfigShape);
/** What the agent reads of the configuration. */
export type AgentConfig = z.infer<typeof agentConfigSchema>;
