/** What may happen with a tool call. */
export type PermissionAction = 'allow' | 'ask' | 'deny';

/** What a call touches: a file, a command line, a host, or something with a name such as a skill or an agent. */
export interface PermissionSubject {
  kind: 'path' | 'command' | 'host' | 'name';
  /** A path is absolute, or relative to the project with `/` between its parts. */
  value: string;
  /**
   * The call may do to it what this tool does, as a command may read a file. It is decided by the denies for that tool and
   * by nothing else: a deny counts, and without one the subject has no say.
   */
  deniedAs?: 'read' | 'edit';
  /** With `deniedAs`: that it is a path at all is a guess, so a deny that is about every path is not about it. */
  isGuess?: boolean;
  /**
   * Why no default may allow it, whatever it looks like, as a clause: "the repository sets diff.external". Nor may an
   * "always" that was said to another command with the same beginning. Rules that a person wrote count as ever.
   */
  beyondDefaults?: string;
  /** A command that is too long to be read: nobody knows what is in it, so any deny may be about it. */
  isUnread?: boolean;
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
  /** What the subject must look like; `*` is everything. The language of patterns is told at `compilePermissions`. */
  pattern: string;
  action: PermissionAction;
  /** Who says so: `defaults`, a file's name, `approval apr_…`. */
  origin: string;
  /** Who has the say where neither denies: the higher one. One of `PERMISSION_LAYERS`; 0 where nothing is said. */
  layer?: number;
  /** It is only about subjects of this kind; about all where nothing is said. */
  kind?: PermissionSubject['kind'];
  /** It is not about subjects that look like one of these, whatever `pattern` says. */
  unless?: readonly string[];
  /** Upper and lower case are the same in paths, on every system. */
  ignoresCase?: boolean;
}

/**
 * Where rules come from, from the weakest say to the strongest.
 *
 * A person who writes `"bash": "allow"` means it, however specific the defaults are; what an agent's file says counts for
 * that agent; and who answered "always" was asked about exactly that. So between rules that do not deny, the layer
 * decides before anything else. A deny wins over every layer. The defaults therefore deny nothing: a person could not
 * take it back.
 */
export const PERMISSION_LAYERS = { defaults: 0, user: 1, agent: 2, approval: 3 } as const;

/** What was decided, by which rule, and about which subject; neither where no rule matched a tool as such. */
export interface PermissionDecision {
  action: PermissionAction;
  rule?: PermissionRule;
  subject?: PermissionSubject;
  /** A sentence that names the rule and its origin. */
  reason: string;
}

/** A decision, and how each subject came to its own. */
export interface PermissionExplanation extends PermissionDecision {
  /**
   * In the order of the question; one without `subject` where the question has none. Of those with `deniedAs` only what
   * is denied, behind the others.
   */
  subjects: SubjectExplanation[];
}

/** How one subject was decided. */
export interface SubjectExplanation extends PermissionDecision {
  /** Every rule that matches, the strongest first: the first one decided. */
  matches: PermissionRule[];
  /**
   * Rules that would match but for one of their `unless`, which is named; and allows that are not about this subject
   * although they look like it, such as those about the project for a path outside it, where `unless` says why in words.
   */
  heldBack: { rule: PermissionRule; unless: string }[];
}
