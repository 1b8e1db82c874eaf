import { z } from 'zod';
import { TEXT_PRESETS, type TextPreset, type TextRules } from './text-rules.ts';

const presets = Object.keys(TEXT_PRESETS) as [TextPreset, ...TextPreset[]];
const markers = z.array(z.string().trim().min(1).max(100)).max(50);
const names = z.array(z.string().regex(/^[\w-]{1,40}$/, 'expected a name such as "tool"')).max(50);

const rulesSchema = z.union([
  z.enum(presets),
  z.strictObject({
    extends: z.enum(presets).optional().describe('Rules to begin with; what is named here takes the place of theirs.'),
    thinking: markers.optional().describe('What a line of thought begins with: "思考:", "Thought:".'),
    tool: markers.optional().describe('What a call begins with: "执行:", "Action:".'),
    toolInput: markers.optional().describe('What the input of a call begins with, where it has a line of its own.'),
    result: markers.optional().describe('What the result of a call begins with: "结果:", "Observation:".'),
    answer: markers.optional().describe('What the answer begins with: "回答:", "Final Answer:".'),
    tags: names.optional().describe('Tags around thoughts: "think" is for <think>…</think>.'),
    fences: z
      .strictObject({ tool: names.optional(), result: names.optional() })
      .optional()
      .describe('Languages of fenced blocks that hold a call, or what came of it.'),
    endsAtBlankLine: z
      .array(z.enum(['thinking', 'tool', 'toolInput', 'result']))
      .optional()
      .describe('What ends at an empty line, and not only at the next marker.'),
  }),
]);

const pattern = z.string().refine(isPattern, 'expected a regular expression');

/** What the configuration of an agent of kind `text` may say beside what every agent has. */
export const textConfigShape = {
  rules: rulesSchema.optional().describe('How the output is read; "default" knows all the common forms.'),
  input: z
    .enum(['stdin', 'argument'])
    .optional()
    .describe('How the prompt is given. "{prompt}" in the command makes it an argument in that place.'),
  run: z
    .enum(['per-turn', 'process'])
    .optional()
    .describe('A process for each prompt, or one that reads prompts and answers until it is ended.'),
  endMarker: z.string().min(1).optional().describe('The line that ends an answer of a process that goes on.'),
  promptPattern: pattern.optional().describe('What the process shows when it waits for the next prompt: "^> $".'),
  inputEnd: z
    .string()
    .min(1)
    .optional()
    .describe('A line that is sent after each prompt; without it a prompt is one line.'),
  turnMinutes: z.number().positive().max(1440).optional().describe('How long an answer may take; 60 when absent.'),
};

/** Holds the settings against each other. */
export function checkTextConfig(
  { run, input, endMarker, promptPattern }: z.infer<z.ZodObject<typeof textConfigShape>>,
  context: z.RefinementCtx,
): void {
  if (run !== 'process') return;
  const refuse = (setting: string, message: string) => context.addIssue({ code: 'custom', path: [setting], message });
  if (endMarker === undefined && promptPattern === undefined)
    refuse('run', 'a process that goes on needs "endMarker" or "promptPattern", which tell where an answer ends');
  if (input === 'argument') refuse('input', 'a process that goes on reads its prompts from stdin');
}

/** The same as one strict object. */
export const textConfigSchema = z.strictObject(textConfigShape).superRefine(checkTextConfig);

/** How a text agent is set up. */
export type TextConfig = z.infer<typeof textConfigSchema>;

/** The rules that the configuration means. */
export function resolveRules(rules: TextConfig['rules']): TextRules {
  if (rules === undefined) return TEXT_PRESETS.default;
  if (typeof rules === 'string') return TEXT_PRESETS[rules];
  const { extends: base, ...own } = rules;
  return { ...(base === undefined ? {} : TEXT_PRESETS[base]), ...own };
}

function isPattern(source: string): boolean {
  try {
    return new RegExp(source, 'u') instanceof RegExp;
  } catch {
    return false;
  }
}
