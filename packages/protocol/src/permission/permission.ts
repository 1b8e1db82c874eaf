/** What may happen with a tool call. */
export type PermissionAction = 'allow' | 'ask' | 'deny';

/** What a call touches: a file, a command line, a host, or something with a name such as a skill or an agent. */
export interface PermissionSubject {
  kind: 'path' | 'command' | 'host' | 'name';
  /** A path is absolute, or relative to the project with `/` between its parts. */
  value: string;
}

/** May this tool do this? Without subjects it is the tool as such that is asked about. */
export interface PermissionQuestion {
  tool: string;
  subjects: readonly PermissionSubject[];
}

/** One line of the rules. Where it comes from is told when it decides. */
export interface PermissionRule {
  /** The tool's name; `*` stands for any run of characters. */
  tool: string;
  /** What the subject must look like; `*` is everything. */
  pattern: string;
  action: PermissionAction;
  origin: string;
}
