import { DragomanError } from '@dragoman/protocol';
import { z } from 'zod';
import { type FrontMatter, FrontMatterError, readFrontMatter } from '../front-matter/read-front-matter.ts';

/** How a skill is used: its text is given to the model, or its script is run. */
type SkillMode = 'direct' | 'sandbox';

/** What stands in a SKILL.md. */
export interface ParsedSkill {
  name: string;
  description: string;
  /** What the skill asks for; without it, having a script decides. */
  mode?: SkillMode;
  /** How long its script may run. */
  timeoutMs?: number;
  license?: string;
  compatibility?: string;
  metadata?: Readonly<Record<string, unknown>>;
  /** Kept as it is written; permissions are the person's, not the skill's. */
  allowedTools?: readonly string[];
  /** The text below the front matter. */
  body: string;
}

/** A SKILL.md that cannot be used: where, and why. */
export class SkillFileError extends DragomanError {
  override readonly name = 'SkillFileError';
  readonly path: string;
  /** Counted from 1, as editors do. */
  readonly line: number;
  readonly reason: string;

  constructor(path: string, line: number, reason: string, options: { cause?: unknown } = {}) {
    super('config-invalid', `${path}:${line}: ${reason}`, options);
    this.path = path;
    this.line = line;
    this.reason = reason;
  }
}

/** The longest a skill can ask for. */
export const MAX_SKILL_TIMEOUT_MS = 600_000;

/**
 * Reads a SKILL.md. Fields of other agents pass; those we know must be right.
 *
 * Throws `SkillFileError` with path, line and reason.
 */
export async function parseSkill(text: string, path: string): Promise<ParsedSkill> {
  const { fields, body, lineOf } = await frontMatterOf(text, path);
  const result = frontMatterSchema.safeParse(fields);
  if (!result.success) {
    const issue = result.error.issues[0]!;
    const field = String(issue.path[0]);
    throw new SkillFileError(path, lineOf([field]), `"${field}" ${issue.message}`);
  }

  const { timeout, 'allowed-tools': allowedTools, ...rest } = result.data;
  return withoutEmpty({
    ...rest,
    timeoutMs: timeout === undefined ? undefined : timeout * 1000,
    allowedTools,
    body,
  });
}

/** Unlike an agent, a skill is nothing without its fields. */
async function frontMatterOf(text: string, path: string): Promise<FrontMatter> {
  try {
    const matter = await readFrontMatter(text);
    if (matter.isThere) return matter;
  } catch (error) {
    if (!(error instanceof FrontMatterError)) throw error;
    throw new SkillFileError(path, error.line, error.message, { cause: error });
  }
  throw new SkillFileError(path, 1, 'there is no front matter; the first line must be "---"');
}

const expected = (what: string) => ({
  error: ({ input }: { input?: unknown }) =>
    input === undefined ? `is missing; it must be ${what}` : `must be ${what}, not ${kindOf(input)}`,
});

/** A field without a value is one that is not there. */
const optional = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess((value) => value ?? undefined, schema.optional());

const text = (what: string, max: number) =>
  z
    .preprocess((value) => value ?? undefined, z.string(expected(what)).trim())
    .pipe(
      z
        .string()
        .min(1, `is empty; it must be ${what}`)
        .max(max, { error: ({ input }) => `is ${(input as string).length} characters long; the limit is ${max}` }),
    );

const NAME = 'lower-case letters, digits and hyphens, 64 at most';

const frontMatterSchema = z.object({
  name: text(NAME, 64).pipe(
    z
      .string()
      .regex(/^[a-z0-9][a-z0-9-]*$/, { error: ({ input }) => `must be ${NAME}; ${JSON.stringify(input)} is not` }),
  ),
  description: text('text that says what the skill does and when to use it', 1024),
  mode: optional(z.enum(['direct', 'sandbox'], expected('"direct" or "sandbox"'))),
  timeout: optional(
    z
      .number(expected('a number of seconds'))
      .positive('must be more than 0 seconds')
      .max(MAX_SKILL_TIMEOUT_MS / 1000, `must be at most ${MAX_SKILL_TIMEOUT_MS / 1000} seconds`),
  ),
  license: optional(z.string(expected('text'))),
  compatibility: optional(z.string(expected('text'))),
  metadata: optional(z.record(z.string(), z.unknown(), expected('fields with values'))),
  'allowed-tools': optional(
    z.union([z.string().transform(toolNames), z.array(z.string())], expected('names of tools, as text or as a list')),
  ),
});

/** Between names there are spaces or commas; inside the brackets of `Bash(git log:*)` they belong to the name. */
function toolNames(names: string): string[] {
  return names.match(/(?:\([^)]*\)|[^\s,(])+/g) ?? [];
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (value instanceof Date) return 'a date';
  if (typeof value === 'object') return 'fields with values';
  return typeof value === 'string' && value.length > 40 ? 'this text' : JSON.stringify(value);
}

/** Fields without a value are left out, so that a skill has exactly what was written. */
function withoutEmpty(skill: { [Key in keyof ParsedSkill]: ParsedSkill[Key] | undefined }): ParsedSkill {
  return Object.fromEntries(Object.entries(skill).filter(([, value]) => value !== undefined)) as unknown as ParsedSkill;
}
