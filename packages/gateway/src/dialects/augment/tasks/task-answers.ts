import { randomUUID } from 'node:crypto';
import type { ModelAnswer } from '@dragoman/protocol';
import { NOTHING_MISSING } from '../encode-response.ts';
import { textNode } from '../nodes.ts';
import { stripFence } from './strip-fence.ts';
import { replacedCode, selectionOf } from './task-prompts.ts';
import type { TaskRequest } from './task-wire.ts';

/** What the editor expects of each small task, made from the model's text. */

export function completionAnswer(answer: ModelAnswer): unknown {
  const text = stripFence(answerText(answer));
  return {
    completion_items: text === '' ? [] : [{ text, suffix_replacement_text: '', skipped_suffix: '' }],
    ...NOTHING_MISSING,
  };
}

export function editAnswer(answer: ModelAnswer, request: TaskRequest): unknown {
  return { text: newCode(answerText(answer), selectionOf(request)), ...NOTHING_MISSING };
}

/** The new code with the lines that it takes the place of. */
export function replacementLine(text: string, request: TaskRequest): unknown {
  const old = replacedCode(request);
  const startLine =
    request.target_file_content === undefined || request.target_file_content === null
      ? lineCount(request.prefix ?? '')
      : 1;
  const code = newCode(text, old);
  return {
    text: code,
    replacement_text: code,
    replacement_old_text: old,
    replacement_start_line: startLine,
    replacement_end_line: startLine + lineCount(old) - 1,
  };
}

export function nextEditLine(text: string, request: TaskRequest): unknown {
  const existing = selectionOf(request);
  const begin = request.selection_begin_char ?? (request.prefix ?? '').length;
  const suggested = newCode(text, existing);
  if (suggested === existing) return { ...NOTHING_MISSING };
  return {
    next_edit: {
      suggestion_id: randomUUID(),
      path: request.path ?? '',
      blob_name: request.blob_name ?? '',
      char_start: begin,
      char_end: request.selection_end_char ?? begin + existing.length,
      existing_code: existing,
      suggested_code: suggested,
      change_description: '',
      localization_score: 1,
      editing_score: 1,
    },
    ...NOTHING_MISSING,
  };
}

/** One line that both kinds of readers understand: those of chat lines and those of one JSON object. */
export function titleLine(text: string): unknown {
  const title = text
    .trim()
    .slice(0, 500)
    .replace(/^["'#\s]+|["'.\s]+$/g, '')
    .split('\n')[0]!
    .slice(0, 80);
  return { text: title, title, nodes: [textNode(1, title)], stop_reason: 1 };
}

/** Models like to put a fence around code; one that the code itself begins with is a part of it. */
function newCode(text: string, old: string): string {
  return old.trimStart().startsWith('```') ? text : stripFence(text);
}

function answerText(answer: ModelAnswer): string {
  return answer.content.map((part) => (part.type === 'text' ? part.text : '')).join('');
}

function lineCount(text: string): number {
  return text.split('\n').length;
}
