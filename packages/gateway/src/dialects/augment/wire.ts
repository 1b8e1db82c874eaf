import { FIRST_MISTAKE } from '@dragoman/protocol';
import { z } from 'zod';
import { MAX_TOOL_NAME } from '../../tools/tool-name.ts';
import { LIST_LIMITS } from '../list-limits.ts';

/** The Augment protocol, spelt as on the wire. Only what we read is declared; null stands for absent, the rest passes. */

/** Kinds of nodes in an answer. */
export const RESPONSE_NODE = {
  RAW_RESPONSE: 0,
  SUGGESTED_QUESTIONS: 1,
  MAIN_TEXT_FINISHED: 2,
  WORKSPACE_FILE_CHUNKS: 3,
  RELEVANT_SOURCES: 4,
  TOOL_USE: 5,
  AGENT_MEMORY: 6,
  TOOL_USE_START: 7,
  THINKING: 8,
  BILLING_METADATA: 9,
  TOKEN_USAGE: 10,
} as const;

/** Formats of images, in `image_node.format`. 0 says nothing; PNG is what clients mean by it. */
export const IMAGE_FORMATS: Readonly<Record<number, string>> = {
  0: 'image/png',
  1: 'image/png',
  2: 'image/jpeg',
  3: 'image/gif',
  4: 'image/webp',
};

const contentNodeSchema = z.looseObject({
  text_content: z.string().nullish(),
  image_content: z.looseObject({ image_data: z.string(), format: z.number().nullish() }).nullish(),
});

const toolResultSchema = z.looseObject({
  tool_use_id: z.string(),
  content: z.string().nullish(),
  content_nodes: z.array(contentNodeSchema).max(LIST_LIMITS.parts).nullish(),
  is_error: z.boolean().nullish(),
});
export type ToolResultNode = z.infer<typeof toolResultSchema>;

const ideStateSchema = z.looseObject({
  workspace_folders: z
    .array(z.looseObject({ repository_root: z.string().nullish(), folder_root: z.string().nullish() }))
    .max(LIST_LIMITS.settings)
    .nullish(),
  current_terminal: z.looseObject({ current_working_directory: z.string().nullish() }).nullish(),
});
export type IdeState = z.infer<typeof ideStateSchema>;

/** A node's kind is told by its payload. Nodes of other kinds are read as having none. */
const requestNodeSchema = z.looseObject({
  text_node: z.looseObject({ content: z.string() }).nullish(),
  tool_result_node: toolResultSchema.nullish(),
  image_node: z.looseObject({ image_data: z.string(), format: z.number().nullish() }).nullish(),
  ide_state_node: ideStateSchema.nullish(),
  file_node: z
    .looseObject({ file_data: z.string(), media_type: z.string(), file_name: z.string().nullish() })
    .nullish(),
  history_summary_node: z.looseObject({}).nullish(),
});
export type RequestNode = z.infer<typeof requestNodeSchema>;

const responseNodeSchema = z.looseObject({
  type: z.number().nullish(),
  content: z.string().nullish(),
  tool_use: z
    .looseObject({
      tool_use_id: z.string(),
      tool_name: z.string().max(MAX_TOOL_NAME),
      input_json: z.string().nullish(),
    })
    .nullish(),
  thinking: z.looseObject({ summary: z.string().nullish(), content: z.string().nullish() }).nullish(),
});
export type ResponseNode = z.infer<typeof responseNodeSchema>;

const exchangeSchema = z.looseObject({
  request_message: z.string().nullish(),
  response_text: z.string().nullish(),
  request_nodes: z.array(z.unknown()).max(LIST_LIMITS.parts).nullish(),
  response_nodes: z.array(z.unknown()).max(LIST_LIMITS.parts).nullish(),
});
export type Exchange = z.infer<typeof exchangeSchema>;

export const augmentChatSchema = z.looseObject({
  model: z.string().nullish(),
  message: z.string().nullish(),
  nodes: z.array(z.unknown()).max(LIST_LIMITS.parts).nullish(),
  chat_history: z.array(exchangeSchema).max(LIST_LIMITS.messages).nullish(),
  tool_definitions: z.array(z.unknown()).max(LIST_LIMITS.tools).nullish(),
  silent: z.boolean().nullish(),
  mode: z.string().nullish(),
  reasoning_effort: z.enum(['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']).nullish().catch(null),
  enable_parallel_tool_use: z.boolean().nullish(),
  user_guidelines: z.string().nullish(),
  workspace_guidelines: z.string().nullish(),
  rules: z
    .array(
      z.looseObject({
        path: z.string().nullish(),
        content: z.string().nullish(),
        type: z.number().nullish(),
        description: z.string().nullish(),
      }),
    )
    .max(LIST_LIMITS.settings)
    .nullish(),
  skills: z
    .array(z.looseObject({ name: z.string(), description: z.string().nullish(), location: z.string().nullish() }))
    .max(LIST_LIMITS.settings)
    .nullish(),
  path: z.string().nullish(),
  lang: z.string().nullish(),
  selected_code: z.string().nullish(),
  agent_memories: z.string().nullish(),
});
export type AugmentChatRequest = z.infer<typeof augmentChatSchema>;

/** One bad node does not spoil the others: it is left out. */
export function readRequestNodes(nodes: readonly unknown[] | null | undefined): RequestNode[] {
  return readEach(nodes, requestNodeSchema);
}

export function readResponseNodes(nodes: readonly unknown[] | null | undefined): ResponseNode[] {
  return readEach(nodes, responseNodeSchema);
}

function readEach<Schema extends z.ZodType>(
  nodes: readonly unknown[] | null | undefined,
  schema: Schema,
): z.output<Schema>[] {
  return (nodes ?? []).flatMap((node) => {
    const parsed = schema.safeParse(node, FIRST_MISTAKE);
    return parsed.success ? [parsed.data] : [];
  });
}

/** A node of an answer, as we send it. */
export type SentNode =
  | { id: number; type: 0; content: string }
  | { id: number; type: 5; content: string; tool_use: { tool_use_id: string; tool_name: string; input_json: string } }
  | { id: number; type: 8; content: string; thinking: Record<string, unknown> }
  | { id: number; type: 10; content: string; token_usage: Record<string, number> };

/** A line of an answer. Every line has `text`: a client drops one without it, tool use included. */
export interface SentLine {
  text: string;
  nodes?: SentNode[];
  stop_reason?: number;
}
