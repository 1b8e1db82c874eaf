import { DragomanError } from '@dragoman/protocol';
import type { z } from 'zod';
import type { AgentSetup } from './agent-registry.ts';

/** The settings of an agent that is a program, read. A setup that will not do is refused with the reason. */
export function readProgramSetup<Config>(
  { name, command, options }: AgentSetup,
  schema: z.ZodType<Config>,
): { command: readonly string[]; config: Config } {
  const read = schema.safeParse(options);
  if (read.success && command !== undefined && command.length > 0) return { command, config: read.data };
  const first = read.error?.issues[0];
  const reason = first === undefined ? 'it needs a "command"' : `${first.path.join('.')}: ${first.message}`;
  throw new DragomanError('config-invalid', `the agent "${name}" cannot be used: ${reason}`);
}
