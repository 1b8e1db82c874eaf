/**
 * Names that a command in the sandbox must not change, wherever in a project they stand.
 *
 * The rule: what we or the person's other tools run or obey the next time, without asking and without being told to. So the
 * workflows of a build server are not among them, which have to be pushed first, nor scripts of a package, which somebody has to
 * start, nor instructions such as AGENTS.md: what they say still meets the permissions. What is new here is one more line.
 */
const PROTECTED_NAMES: ReadonlySet<string> = new Set([
  // Hooks and programs that git and its like start.
  '.git',
  '.hg',
  '.jj',
  '.husky',
  '.githooks',
  '.lefthook',
  '.lefthook-local',
  '.overcommit.yml',
  '.pre-commit-config.yaml',
  '.pre-commit-config.yml',
  // Tools, agents, hooks and servers of agents, ours first.
  '.dragoman',
  '.agents',
  '.claude',
  '.codex',
  '.cursor',
  '.gemini',
  '.opencode',
  '.amazonq',
  '.augment',
  '.continue',
  '.kilocode',
  '.kiro',
  '.qwen',
  '.roo',
  '.windsurf',
  '.mcp.json',
  'opencode.json',
  'opencode.jsonc',
  'crush.json',
  '.crush.json',
  // Tasks and settings of editors.
  '.vscode',
  '.idea',
  '.zed',
  '.fleet',
  '.helix',
  '.devcontainer',
  '.devcontainer.json',
  // What shells load when somebody enters the folder.
  '.envrc',
  '.autoenv.zsh',
  '.mise',
]);

/** Those that come in several spellings: `lefthook-local.toml`, `.mise.local.toml`, `mise.production.toml`. */
const PROTECTED_SPELLINGS = /^\.?(?:lefthook(?:-local)?\.(?:ya?ml|toml|jsonc?)|mise(?:\.[^.]+){0,2}\.toml)$/;

/**
 * Folders that are kept from being made at the top of a project, where programs look by themselves at any moment: an empty one is
 * there for as long as commands run. The others are looked for when a command has ended.
 */
export const KEPT_EMPTY = ['.git', '.dragoman', '.claude', '.vscode', '.husky'] as const;

/** What git obeys in a folder that is a repository by itself, whatever that is called. */
const IN_BARE_REPOSITORY: ReadonlySet<string> = new Set(['config', 'config.worktree', 'commondir', 'hooks']);

/** Those of the names in one folder that are protected. Case is ignored, as some disks do. */
export function protectedAmong(names: readonly string[]): string[] {
  const lower = new Set(names.map((name) => name.toLowerCase()));
  const isRepository = lower.has('head') && (lower.has('commondir') || (lower.has('objects') && lower.has('refs')));
  return names.filter((name) => isProtectedName(name) || (isRepository && IN_BARE_REPOSITORY.has(name.toLowerCase())));
}

/** Whether a file or folder is protected wherever it stands. */
export function isProtectedName(name: string): boolean {
  const lower = name.toLowerCase();
  return PROTECTED_NAMES.has(lower) || PROTECTED_SPELLINGS.test(lower);
}
