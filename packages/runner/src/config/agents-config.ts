import { secretSchema } from '@dragoman/server/base';
import { z } from 'zod';
import { acpConfigShape, acpNeedsCommand } from '../backends/acp/acp-config.ts';
import { chatConfigShape } from '../backends/chat/chat-config.ts';
import { claudeConfigShape } from '../backends/claude/claude-config.ts';
import { codexConfigShape } from '../backends/codex/codex-config.ts';
import { checkTextConfig, textConfigShape, textNeedsCommand } from '../backends/text/text-config.ts';
import { uapConfigShape, uapNeedsCommand } from '../backends/uap/uap-config.ts';

/** What every agent may be told. */
const commonShape = {
  title: z.string().min(1).max(200).optional().describe('Display name.'),
  model: z.string().min(1).optional().describe('Initial model, if the agent lets you choose one.'),
};
const modeShape = { mode: z.string().min(1).optional().describe('Initial mode, if the agent has modes.') };

/** What an agent that is a program of its own may be told. */
const programShape = {
  ...commonShape,
  ...modeShape,
  command: z
    .tuple([z.string().min(1)], z.string())
    .optional()
    .describe('The program and its arguments, one entry each.'),
  env: z
    .record(
      z.string().regex(/^[A-Za-z_]\w*$/, 'expected the name of a variable: letters, digits and "_"'),
      secretSchema,
    )
    .optional()
    .describe('Extra environment variables, preferably as references such as "{env:NAME}".'),
};

/** The kinds that come with Dragoman. A kind that is not here brings its own check. */
const knownKinds = z.discriminatedUnion('backend', [
  z.strictObject({ backend: z.literal('acp'), ...programShape, ...acpConfigShape }),
  z.strictObject({ backend: z.literal('chat'), ...commonShape, ...chatConfigShape }),
  z.strictObject({ backend: z.literal('claude'), ...programShape, ...claudeConfigShape }),
  z.strictObject({ backend: z.literal('codex'), ...programShape, ...codexConfigShape }),
  z.strictObject({ backend: z.literal('native'), ...commonShape, ...modeShape }),
  z.strictObject({ backend: z.literal('ollama'), ...commonShape, ...chatConfigShape }),
  z.strictObject({ backend: z.literal('text'), ...programShape, ...textConfigShape }).superRefine(checkTextConfig),
  z.strictObject({ backend: z.literal('uap'), ...programShape, ...uapConfigShape }),
]);

const KNOWN: ReadonlySet<string> = new Set(knownKinds.options.map(({ shape }) => shape.backend.value));

/** A backend that somebody registered of their own may have any settings. A known kind is not meant by this. */
const otherKinds = z.looseObject({ backend: z.string().min(1), ...programShape }).check((context) => {
  if (KNOWN.has(context.value.backend))
    context.issues.push({ code: 'invalid_type', expected: 'object', input: context.value, path: [] });
});

const nameSchema = z
  .string()
  .regex(/^[A-Za-z0-9][\w.-]{0,63}$/, 'a name has up to 64 letters, digits, "-", "_" and ".", a letter or digit first');

/** The agents of this machine by the names people choose them by. */
export const agentsConfigSchema = z
  .record(nameSchema, z.union([knownKinds, otherKinds]))
  .superRefine(checkCommands)
  .default({})
  .describe('Agents that can be started here, by name. Well-known agents only need to be installed.');

/** An agent as the configuration has it: what every kind is told in the same way, and what its own kind is told. */
export type AgentConfig = z.infer<typeof otherKinds>;

/** Kinds that are nothing without a program. What they say of an agent goes by its name. */
const NEEDS_COMMAND: Readonly<Record<string, (name: string) => boolean>> = {
  acp: acpNeedsCommand,
  text: textNeedsCommand,
  uap: uapNeedsCommand,
};

function checkCommands(
  agents: Readonly<Record<string, { backend: string; command?: unknown }>>,
  context: z.RefinementCtx,
) {
  for (const [name, { backend, command }] of Object.entries(agents)) {
    if (command === undefined && Object.hasOwn(NEEDS_COMMAND, backend) && NEEDS_COMMAND[backend]!(name))
      context.addIssue({
        code: 'custom',
        path: [name, 'command'],
        message: `an agent of kind "${backend}" is a program; name it, as in "command": ["./${name}"]`,
      });
  }
}
