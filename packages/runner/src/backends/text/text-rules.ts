/** What a marker at the beginning of a line opens. */
export type MarkedRole = 'thinking' | 'tool' | 'toolInput' | 'result' | 'answer';

/** How the output of a program is read. What is absent is not looked for. */
export interface TextRules {
  thinking?: readonly string[] | undefined;
  tool?: readonly string[] | undefined;
  toolInput?: readonly string[] | undefined;
  result?: readonly string[] | undefined;
  answer?: readonly string[] | undefined;
  /** Names of tags around thoughts: `think` is for `<think>…</think>`. */
  tags?: readonly string[] | undefined;
  /** Languages of fenced blocks that hold a call or what came of one. `json` is a call only where it looks like one. */
  fences?: { tool?: readonly string[] | undefined; result?: readonly string[] | undefined } | undefined;
  /** What ends at an empty line too, not only at the next marker. */
  endsAtBlankLine?: readonly Exclude<MarkedRole, 'answer'>[] | undefined;
}

const CHINESE: TextRules = {
  thinking: ['思考:', '想法:'],
  tool: ['执行:', '调用工具:', '行动:'],
  toolInput: ['输入:', '参数:'],
  result: ['结果:', '执行结果:', '观察:', '输出:'],
  answer: ['回答:', '最终回答:', '答案:', '最终答案:', '回复:'],
  endsAtBlankLine: ['thinking', 'tool'],
};

const REACT: TextRules = {
  thinking: ['Thought:', 'Thinking:'],
  tool: ['Action:'],
  toolInput: ['Action Input:'],
  result: ['Observation:', 'Result:'],
  answer: ['Final Answer:', 'Answer:'],
  fences: { tool: ['tool', 'tool_call', 'tool_use', 'json'], result: ['tool_result', 'tool_output', 'observation'] },
  endsAtBlankLine: ['thinking', 'tool'],
};

const THINK_TAGS: TextRules = { tags: ['think', 'thinking', 'thought', 'reasoning'] };

/** Sets of rules that can be named in the configuration. */
export const TEXT_PRESETS = {
  default: {
    thinking: [...CHINESE.thinking!, ...REACT.thinking!],
    tool: [...CHINESE.tool!, ...REACT.tool!],
    toolInput: [...CHINESE.toolInput!, ...REACT.toolInput!],
    result: [...CHINESE.result!, ...REACT.result!],
    answer: [...CHINESE.answer!, ...REACT.answer!],
    fences: REACT.fences,
    tags: THINK_TAGS.tags,
    endsAtBlankLine: ['thinking', 'tool'],
  },
  chinese: CHINESE,
  react: REACT,
  'think-tags': THINK_TAGS,
  plain: {},
} as const satisfies Record<string, TextRules>;

/** A set of rules by its name. */
export type TextPreset = keyof typeof TEXT_PRESETS;
