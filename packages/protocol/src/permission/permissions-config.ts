import { z } from 'zod';
import { PERMISSION_LAYERS, type PermissionAction, type PermissionRule } from './permission.ts';

/** What people write under `permissions`: per tool one answer for everything, or one for each pattern. */
export type PermissionsConfig = Readonly<Record<string, PermissionAction | Readonly<Record<string, PermissionAction>>>>;

/** The longest pattern that is taken; longer ones are mistakes, and nobody can read them. */
export const MAX_PATTERN_LENGTH = 1_000;

const ACTIONS: readonly string[] = ['allow', 'ask', 'deny'] satisfies PermissionAction[];
/** Tools that are decided under another's name. A rule with their own would never match. */
const DECIDED_AS: Readonly<Record<string, string>> = { write: 'edit', 'apply-patch': 'edit' };

// Which words may stand where is checked below, where a mistake can be named in its place: of a union that fails, nobody
// could say which form was meant.
const action = z.string().meta({ enum: ACTIONS });
const shape = z
  .record(z.string(), z.union([action, z.record(z.string(), action)]))
  .check((context) => {
    for (const [tool, given] of Object.entries(context.value)) {
      const complain = (path: string[], message: string | undefined, input: unknown) => {
        if (message !== undefined) context.issues.push({ code: 'custom', path, message, input });
      };
      complain([tool], toolMistake(tool), given);
      if (typeof given === 'string') complain([tool], actionMistake(given), given);
      else {
        for (const [pattern, word] of Object.entries(given)) {
          complain([tool, pattern], patternMistake(tool, pattern) ?? actionMistake(word), word);
        }
      }
    }
  })
  .describe(
    'What tools may do, as in { "bash": { "git *": "allow", "rm *": "deny" }, "edit": "ask", "*": "allow" }. A deny always wins, then the most specific pattern.',
  );

/** The section `permissions` of a configuration, of an agent's file or of a project. */
export const permissionsConfigSchema = shape as unknown as z.ZodType<PermissionsConfig, PermissionsConfig>;

/** The rules that were written, with where they were written; as the user's own where no layer is given. */
export function rulesFromConfig(
  config: PermissionsConfig,
  origin: string,
  layer: number = PERMISSION_LAYERS.user,
): PermissionRule[] {
  return Object.entries(config).flatMap(([tool, given]) =>
    Object.entries(typeof given === 'string' ? { '*': given } : given).map(([pattern, decision]) => ({
      tool,
      pattern,
      action: decision,
      origin,
      layer,
    })),
  );
}

function toolMistake(tool: string): string | undefined {
  if (!/^[A-Za-z0-9_*?-]{1,64}$/.test(tool))
    return 'expected a tool\'s name: letters, digits, "-" and "_", with "*" for any run of characters';
  const decidedAs = DECIDED_AS[tool];
  if (decidedAs !== undefined) return `${tool} is decided as "${decidedAs}"; write "${decidedAs}" instead`;
  return undefined;
}

function actionMistake(word: string): string | undefined {
  if (ACTIONS.includes(word)) return undefined;
  const found = word.length <= 30 ? JSON.stringify(word) : 'text';
  return `expected one of "allow", "ask", "deny", found ${found}`;
}

function patternMistake(tool: string, pattern: string): string | undefined {
  if (pattern === '') return 'expected a pattern; "*" is everything';
  if (pattern !== pattern.trim()) return 'a pattern must not begin or end with a space';
  if (pattern.length > MAX_PATTERN_LENGTH)
    return `expected a pattern of at most ${MAX_PATTERN_LENGTH} characters, found ${pattern.length}`;
  if (tool === 'web-fetch' && pattern.includes('/'))
    return 'web-fetch is decided by host: write "example.com", or "*.example.com" for the hosts below it';
  return undefined;
}
