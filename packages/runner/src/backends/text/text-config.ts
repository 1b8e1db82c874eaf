import { z } from 'zod';
import { TEXT_PRESETS, type TextPreset, type TextRules } from './text-rules.ts';

const presets = Object.keys(TEXT_PRESETS) as [TextPreset, ...TextPreset[]];
const markers = z.array(z.string().trim().min(1).max(100)).max(50);
const names = z.array(z.string().regex(/^[\w-]{1,40}$/, 'expected a name such as "tool"')).max(50);

const rulesSchema = z.union([
  z.enum(presets),
  z.strictObject({
    extends: z.enum(presets).optional().describe('Rules to start from. Settings here override them.'),
    thinking: markers.optional().describe('How a line of thinking starts: "思考:", "Thought:".'),
    tool: markers.optional().describe('How a tool call starts: "执行:", "Action:".'),
    toolInput: markers.optional().describe('How the input of a call starts, if it has its own line.'),
    result: markers.optional().describe('How the result of a call starts: "结果:", "Observation:".'),
    answer: markers.optional().describe('How the answer starts: "回答:", "Final Answer:".'),
    tags: names.optional().describe('Tags around thinking: "think" matches <think>…</think>.'),
    fences: z
      .strictObject({ tool: names.optional(), result: names.optional() })
      .optional()
      .describe('Languages of fenced blocks that contain a call or its result.'),
    endsAtBlankLine: z
      .array(z.enum(['thinking', 'tool', 'toolInput', 'result']))
      .optional()
      .describe('What ends at an empty line as well as at the next marker.'),
  }),
]);

const pattern = z.string().refine(isPattern, 'expected a regular expression');

/** What the configuration of an agent of kind `text` may say beside what every agent has. */
export const textConfigShape = {
  rules: rulesSchema.optional().describe('How to parse the output. "default" knows all common formats.'),
  input: z
    .enum(['stdin', 'argument'])
    .optional()
    .describe('How to pass the prompt. "{prompt}" in the command passes it as an argument there.'),
  run: z
    .enum(['per-turn', 'process'])
    .optional()
    .describe('Start a process for each prompt, or keep one process that answers prompt after prompt.'),
  endMarker: z.string().min(1).optional().describe('Line that ends an answer when the process keeps running.'),
  promptPattern: pattern.optional().describe('Pattern the process prints when it waits for the next prompt: "^> $".'),
  inputEnd: z.string().min(1).optional().describe('Line to send after each prompt. Without it, a prompt is one line.'),
  turnMinutes: z.number().positive().max(1440).optional().describe('Time limit for an answer. The default is 60.'),
};

/** A text agent is nothing but its program. */
export const textNeedsCommand = (): boolean => true;

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
