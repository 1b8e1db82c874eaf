import { PERMISSION_LAYERS, type PermissionRule, permissionsConfigSchema, rulesFromConfig } from '@dragoman/protocol';
import { z } from 'zod';
import { type FrontMatter, FrontMatterError } from '../front-matter/read-front-matter.ts';
import { type AgentDefinition, allowList } from './agent-definition.ts';

/** What an agent's file says; what it does not say is left open. */
export type AgentFile = Partial<
  Pick<
    AgentDefinition,
    'description' | 'mode' | 'model' | 'variant' | 'temperature' | 'topP' | 'steps' | 'tools' | 'prompt'
  >
> & { permissions?: PermissionRule[] };

const toolName = z
  .string()
  .regex(/^[A-Za-z0-9_*-]{1,64}$/, 'expected the name of a tool, with "*" for any run of characters');
const tools = z.union([z.array(toolName), z.record(toolName, z.boolean())], {
  error: 'expected a list of tools, or a map of tools to true or false',
});

const fieldsSchema = z.strictObject({
  description: z.string().trim().min(1).optional(),
  mode: z.enum(['primary', 'subagent', 'all']).optional(),
  model: z.string().min(1).optional(),
  variant: z.string().min(1).optional(),
  temperature: z.number().min(0).max(2).optional(),
  top_p: z.number().min(0).max(1).optional(),
  steps: z.int().min(1).optional(),
  tools: tools.optional(),
  permission: permissionsConfigSchema.optional(),
});

/** Reads an agent that was written for us. A mistake is told with its line. */
export function readAgent({ fields, body, lineOf }: FrontMatter, origin: string): AgentFile {
  const parsed = fieldsSchema.safeParse(fields);
  if (!parsed.success) {
    const issue = parsed.error.issues[0]!;
    const path = issue.code === 'unrecognized_keys' ? [...issue.path, issue.keys[0]!] : issue.path;
    throw new FrontMatterError(lineOf(path), describeIssue(issue));
  }
  const { top_p: topP, tools: offered, permission, ...same } = parsed.data;
  return withoutAbsent({
    ...same,
    topP,
    tools: Array.isArray(offered) ? allowList(offered) : offered,
    permissions: permission && rulesFromConfig(permission, origin, PERMISSION_LAYERS.agent),
    prompt: body === '' ? undefined : body,
  });
}

function describeIssue(issue: z.core.$ZodIssue): string {
  if (issue.code === 'unrecognized_keys')
    return `"${issue.keys[0]}" is not known; the fields are ${Object.keys(fieldsSchema.shape).join(', ')}`;
  return issue.path.length === 0 ? issue.message : `${issue.path.join('.')}: ${issue.message}`;
}

type WithoutAbsent<Fields> = { [Key in keyof Fields]?: Exclude<Fields[Key], undefined> };

function withoutAbsent<Fields extends object>(fields: Fields): WithoutAbsent<Fields> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as WithoutAbsent<Fields>;
}
