import type { PermissionQuestion } from './permission.ts';

/** Tools that run a command on the machine of the agent and do nothing else with it. */
const SHELLS: ReadonlySet<string> = new Set(
  `bash sh zsh powershell pwsh cmd shell local_shell terminal execute exec exec_command run run_command run_shell_command
  run_terminal_cmd`.split(/\s+/),
);

/** Tools that the rules judge by what they touch. */
const JUDGED_BY_SUBJECTS: ReadonlySet<string> = new Set(
  'read grep glob edit write apply-patch web-fetch task skill'.split(' '),
);

/** Whether a tool of this name is a shell, in the spelling of whichever agent. */
export function isShellTool(tool: string): boolean {
  return SHELLS.has(tool.toLowerCase());
}

/** Whether a call of the tool without a subject is one of which nobody knows what it would do. */
export function needsSubjects(tool: string): boolean {
  return isShellTool(tool) || JUDGED_BY_SUBJECTS.has(tool.toLowerCase());
}

/** Whether it is known what is asked about. Where it is not, a rule that is saved would allow everything. */
export function isSubjectKnown({ tool, subjects }: PermissionQuestion): boolean {
  return subjects.some(({ deniedAs }) => deniedAs === undefined) || !needsSubjects(tool);
}
