import { z } from 'zod';
import { LIST_LIMITS } from '../../list-limits.ts';

/** The fields of the editor's small requests, of which each endpoint sends some. */
export const taskSchema = z.looseObject({
  model: z.string().nullish(),
  path: z.string().nullish(),
  lang: z.string().nullish(),
  prompt: z.string().nullish(),
  prefix: z.string().nullish(),
  suffix: z.string().nullish(),
  instruction: z.string().nullish(),
  selected_text: z.string().nullish(),
  selected_code: z.string().nullish(),
  code_block: z.string().nullish(),
  target_file_path: z.string().nullish(),
  target_file_content: z.string().nullish(),
  blob_name: z.string().nullish(),
  selection_begin_char: z.number().nullish(),
  selection_end_char: z.number().nullish(),
  recent_changes: z.unknown().optional(),
  diagnostics: z.unknown().optional(),
  diff: z.string().nullish(),
  changed_file_stats: z.unknown().optional(),
  relevant_commit_messages: z.array(z.string()).max(LIST_LIMITS.settings).nullish().catch(null),
  example_commit_messages: z.array(z.string()).max(LIST_LIMITS.settings).nullish().catch(null),
  message: z.string().nullish(),
  nodes: z.array(z.unknown()).max(LIST_LIMITS.parts).nullish(),
  chat_history: z.array(z.unknown()).max(LIST_LIMITS.messages).nullish(),
});
export type TaskRequest = z.infer<typeof taskSchema>;
