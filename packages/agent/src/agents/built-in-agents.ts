import { PERMISSION_LAYERS, type PermissionRule } from '@dragoman/protocol';
import { type AgentDefinition, allowList } from './agent-definition.ts';
import { BUILD_PROMPT } from './build-prompt.ts';
import { EXPLORE_PROMPT } from './explore-prompt.ts';
import { GENERAL_PROMPT } from './general-prompt.ts';
import { PLAN_PROMPT } from './plan-prompt.ts';

/** Commands that only look. What they could be made to write with is denied below. */
const LOOKING = [
  'cat *',
  'df *',
  'du *',
  'git blame *',
  'git branch --list *',
  'git describe *',
  'git diff *',
  'git log *',
  'git ls-files *',
  'git remote -v',
  'git rev-parse *',
  'git shortlog *',
  'git show *',
  'git status *',
  'grep *',
  'head *',
  'ls *',
  'pwd',
  'rg *',
  'stat *',
  'tail *',
  'wc *',
  'which *',
];

/** Options by which a looking command writes a file or starts another program. */
const TELLTALE = ['* --out*', '* --hostname-bin*', '* --pre*'];

/** The agents that are always there. */
export function builtInAgents(): AgentDefinition[] {
  return [
    {
      name: 'build',
      description: 'Does the work: reads, changes and runs code, and checks what it did.',
      mode: 'primary',
      prompt: BUILD_PROMPT,
      permissions: [],
      origin: 'built-in',
    },
    {
      name: 'plan',
      description: 'Looks into a task and works out a plan, without changing anything.',
      mode: 'primary',
      prompt: PLAN_PROMPT,
      tools: { edit: false, write: false, 'apply-patch': false },
      permissions: [
        deny('plan', 'edit', '*'),
        // A file that a command writes, or looks at outside the project, is told as a path.
        deny('plan', 'bash', '*', { kind: 'path' }),
        deny('plan', 'bash', '*', { kind: 'command', unless: LOOKING }),
        ...TELLTALE.map((pattern) => deny('plan', 'bash', pattern, { kind: 'command' })),
        deny('plan', 'task', '*', { kind: 'name', unless: ['explore'] }),
      ],
      origin: 'built-in',
    },
    {
      name: 'explore',
      description:
        'Finds things out about the code base without changing it: where something is, how it works, what uses it. Ask it a precise question; several can look at the same time.',
      mode: 'subagent',
      prompt: EXPLORE_PROMPT,
      tools: allowList(['read', 'glob', 'grep', 'code-search']),
      permissions: [],
      origin: 'built-in',
    },
    {
      name: 'general',
      description:
        'Does a piece of work of several steps on its own, changes included, and reports. For work that does not depend on other work being done at the same time.',
      mode: 'subagent',
      prompt: GENERAL_PROMPT,
      tools: { task: false, 'todo-write': false, 'todo-read': false },
      permissions: [],
      origin: 'built-in',
    },
  ];
}

function deny(
  agent: string,
  tool: string,
  pattern: string,
  more: Pick<PermissionRule, 'kind' | 'unless'> = {},
): PermissionRule {
  return { tool, pattern, action: 'deny', origin: `the agent ${agent}`, layer: PERMISSION_LAYERS.agent, ...more };
}
