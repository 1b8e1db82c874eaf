import type { ModelCall } from '@dragoman/protocol';
import type { TaskRequest } from './task-wire.ts';

/** What lies further away than this from the cursor says little about it. */
const NEAR_CHARS = 12_000;

/** Each small task of the editor, as one question to a model; the last value of each is what leaves everything as it is. */
export const TASK_PROMPTS = {
  completion: (request: TaskRequest) =>
    ask(
      'You complete code at the cursor. Answer with the text to insert and nothing else: no explanation, no code fence, nothing that is there already.',
      [
        file(request),
        part('before the cursor', (request.prompt ?? request.prefix ?? '').slice(-NEAR_CHARS)),
        part('after the cursor', (request.suffix ?? '').slice(0, NEAR_CHARS)),
      ],
      { unchanged: '', maxOutputTokens: 256 },
    ),
  chatInput: (request: TaskRequest) =>
    ask(
      'You complete the message that a developer is typing to a coding assistant. Answer with the rest of the message and nothing else; a few words are enough.',
      [part('typed so far', request.prompt ?? ''), part('after the cursor', request.suffix ?? '')],
      { unchanged: '', maxOutputTokens: 64 },
    ),
  edit: (request: TaskRequest) =>
    ask(
      'You rewrite the selected code as the instruction says. Answer with the new code for the selection and nothing else: no explanation, no code fence.',
      [
        file(request),
        part('instruction', request.instruction ?? request.message ?? ''),
        part('before the selection', (request.prefix ?? '').slice(-NEAR_CHARS)),
        part('selection', selectionOf(request)),
        part('after the selection', (request.suffix ?? '').slice(0, NEAR_CHARS)),
      ],
      { unchanged: selectionOf(request) },
    ),
  paste: (request: TaskRequest) =>
    ask(
      'You merge a block of code into a file where it belongs. Answer with the whole new content of the file and nothing else: no explanation, no code fence.',
      [
        part('file', request.target_file_path ?? request.path ?? ''),
        part('content of the file', request.target_file_content ?? ''),
        part('block to merge', request.code_block ?? ''),
        part('instruction', request.instruction ?? ''),
      ],
      { unchanged: replacedCode(request) },
    ),
  nextEdit: (request: TaskRequest) =>
    ask(
      'You suggest the next change to the selected code that follows from what the developer did last. Answer with the new code for the selection and nothing else; when nothing should change, answer with the selection as it is.',
      [
        file(request),
        part('instruction', request.instruction ?? ''),
        part('recent changes', asText(request.recent_changes)),
        part('diagnostics', asText(request.diagnostics)),
        part('before the selection', (request.prefix ?? '').slice(-NEAR_CHARS)),
        part('selection', selectionOf(request)),
        part('after the selection', (request.suffix ?? '').slice(0, NEAR_CHARS)),
      ],
      { unchanged: selectionOf(request) },
    ),
  commitMessage: (request: TaskRequest) =>
    ask(
      'You write the commit message for a change: a subject of at most 72 characters in the imperative, and where it helps a blank line and a short body. Answer with the message and nothing else.',
      [
        part(
          'messages of this repository',
          [...(request.relevant_commit_messages ?? []), ...(request.example_commit_messages ?? [])]
            .slice(0, 20)
            .join('\n---\n'),
        ),
        part('changed files', asText(request.changed_file_stats)),
        part('diff', (request.diff ?? '').slice(0, 100_000)),
      ],
      { unchanged: '' },
    ),
} as const;

/** What the user selected, under either of its names. */
export function selectionOf(request: TaskRequest): string {
  return request.selected_text ?? request.selected_code ?? '';
}

/** What a replacement takes the place of: the whole file where one is given, else the selection. */
export function replacedCode(request: TaskRequest): string {
  return request.target_file_content ?? selectionOf(request);
}

function ask(
  system: string,
  parts: readonly string[],
  settings: Pick<ModelCall, 'unchanged' | 'maxOutputTokens'>,
): ModelCall {
  const text = parts.filter((one) => one !== '').join('\n\n');
  return {
    prompt: [
      { role: 'system', content: system },
      { role: 'user', content: [{ type: 'text', text }] },
    ],
    tools: [],
    ...settings,
  };
}

function file({ path, lang }: TaskRequest): string {
  return part('file', [path ?? '', lang ?? ''].filter((text) => text !== '').join(', '));
}

function part(name: string, content: string): string {
  return content === '' ? '' : `<${name}>\n${content}\n</${name}>`;
}

function asText(value: unknown): string {
  if (value === undefined || value === null) return '';
  return (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, 20_000);
}
