import { PERMISSION_LAYERS, type PermissionRule } from '@dragoman/protocol';
import { SECRET_FILES } from '@dragoman/protocol/secrets';
import { HARMLESS_COMMANDS } from './harmless-commands.ts';

/** Tools that only look, or only change what the agent knows. Subagents and skills ask for what they do themselves. */
const QUIET_TOOLS = [
  'read',
  'glob',
  'grep',
  'code-search',
  'todo-read',
  'todo-write',
  'skill',
  'task',
  'tool-search',
  'job-output',
  'job-kill',
] as const;

/** Tools that show what is in a file. */
const READING_TOOLS = ['read', 'grep'] as const;

/** What is read goes to a model, so a person is asked before a file is that is made to hold secrets. */
const SECRET_FILE_RULES: readonly Pick<PermissionRule, 'pattern' | 'unless'>[] = SECRET_FILES.flatMap(
  (pattern, index) => {
    if (pattern.startsWith('!')) return [];
    // Of the patterns the last one counts; one that says how a name ends is not taken back by another ending.
    const later = SECRET_FILES.slice(index).flatMap((other) => (other.startsWith('!') ? other.slice(1) : []));
    const isEnding = pattern.startsWith('*') && !pattern.slice(1).includes('*');
    const unless = isEnding ? later.filter((other) => other.endsWith('*') || other.endsWith(pattern.slice(1))) : later;
    return unless.length === 0 ? [{ pattern }] : [{ pattern, unless }];
  },
);

/** Everything that is not of the project; paths inside it are told relative to its root. */
const OUTSIDE: readonly string[] = ['/**', '~/**', '?:/**', '../**'];

/**
 * What holds where nobody said anything: looking around the project is allowed, everything else is asked about.
 *
 * Nothing is denied, because a deny could not be taken back by the user's own rules (see `PERMISSION_LAYERS`).
 */
export function defaultRules(): PermissionRule[] {
  return [
    rule('*', '*', 'ask'),
    ...QUIET_TOOLS.map((tool) => rule(tool, '*', 'allow')),
    ...HARMLESS_COMMANDS.map(({ pattern, unless }) => rule('bash', pattern, 'allow', { kind: 'command', unless })),
    ...OUTSIDE.map((pattern) => rule('*', pattern, 'ask', { kind: 'path' })),
    ...READING_TOOLS.flatMap((tool) =>
      SECRET_FILE_RULES.map(({ pattern, ...more }) =>
        rule(tool, pattern, 'ask', { kind: 'path', ignoresCase: true, ...more }),
      ),
    ),
  ];
}

function rule(
  tool: string,
  pattern: string,
  action: PermissionRule['action'],
  more: Pick<PermissionRule, 'kind' | 'unless' | 'ignoresCase'> = {},
): PermissionRule {
  return { tool, pattern, action, origin: 'defaults', layer: PERMISSION_LAYERS.defaults, ...more };
}
