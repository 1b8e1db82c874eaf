import { PERMISSION_LAYERS, type PermissionRule } from '@dragoman/protocol';
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

/** Files that are made to hold secrets. What is read goes to a model, so a person is asked first. */
const SECRET_FILES: readonly string[] = [
  '.env',
  '.env.*',
  '*.env',
  '*.pem',
  '*.key',
  '*.p8',
  '*.p12',
  '*.pfx',
  '*.jks',
  '*.keystore',
  '*.ppk',
  '*.kdbx',
  'id_rsa*',
  'id_dsa*',
  'id_ecdsa*',
  'id_ed25519*',
  '.netrc',
  '_netrc',
  '.npmrc',
  '.pypirc',
  '.pgpass',
  '.htpasswd',
  '.git-credentials',
  '**/.ssh/**',
  '**/.gnupg/**',
  '**/.aws/credentials',
  '**/.kube/config',
  '**/.docker/config.json',
];

/** Named like secrets, and written to be read. */
const EXAMPLE_FILES: readonly string[] = [
  '*.example',
  '*.sample',
  '*.template',
  '*.dist',
  '*.pub',
  'example.env',
  'sample.env',
  'template.env',
];

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
      SECRET_FILES.map((pattern) => rule(tool, pattern, 'ask', { kind: 'path', unless: EXAMPLE_FILES })),
    ),
  ];
}

function rule(
  tool: string,
  pattern: string,
  action: PermissionRule['action'],
  more: Pick<PermissionRule, 'kind' | 'unless'> = {},
): PermissionRule {
  return { tool, pattern, action, origin: 'defaults', layer: PERMISSION_LAYERS.defaults, ...more };
}
