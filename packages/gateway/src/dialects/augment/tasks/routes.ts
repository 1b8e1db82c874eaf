import type { ModelAnswer, ModelCall, ModelMessage } from '@dragoman/protocol';
import { parseBody } from '@dragoman/server';
import type { FastifyInstance } from 'fastify';
import { answerCall } from '../../../answer/answer-call.ts';
import type { Gateway } from '../../../gateway.ts';
import type { Dialect } from '../../dialect.ts';
import { type AugmentContext, decodeAugmentRequest } from '../decode-request.ts';
import { augmentDialect } from '../dialect.ts';
import { encodeAtEnd } from './encode-at-end.ts';
import { completionAnswer, editAnswer, nextEditLine, replacementLine, titleLine } from './task-answers.ts';
import { TASK_PROMPTS } from './task-prompts.ts';
import { type TaskRequest, taskSchema } from './task-wire.ts';

const ENHANCE =
  'Rewrite the last message of the user as a clear and complete prompt for a coding assistant. Keep its meaning and language. Answer with the prompt and nothing else.';
const TITLE =
  'Give this conversation a title of at most six words, in its language. Answer with the title and nothing else.';

/** The editor's small tasks: completion, edits, commit messages, titles, better prompts. */
export function taskRoutes(door: FastifyInstance, gateway: Gateway): void {
  const post = (
    path: string,
    toTask: (request: TaskRequest) => { call: ModelCall; dialect: Dialect<AugmentContext>; isStreamed: boolean },
  ) =>
    door.post(path, { config: { access: 'models', body: 'upload', isModelCall: true } }, (request, reply) => {
      const body = parseBody(taskSchema, request.body);
      const { call, dialect, isStreamed } = toTask(body);
      const decoded = { asked: body.model ?? '', call: { ...call, isOneOff: true }, isStreamed, context: PLAIN };
      return answerCall(gateway, dialect, { ...decoded, decode: () => decoded }, request, reply);
    });

  post('/completion', (body) => whole(TASK_PROMPTS.completion(body), completionAnswer));
  post('/chat-input-completion', (body) => whole(TASK_PROMPTS.chatInput(body), completionAnswer));
  post('/edit', (body) => whole(TASK_PROMPTS.edit(body), (answer) => editAnswer(answer, body)));
  post('/instruction-stream', (body) => atEnd(TASK_PROMPTS.edit(body), (text) => replacementLine(text, body)));
  post('/smart-paste-stream', (body) => atEnd(TASK_PROMPTS.paste(body), (text) => replacementLine(text, body)));
  post('/next-edit-stream', (body) => atEnd(TASK_PROMPTS.nextEdit(body), (text) => nextEditLine(text, body)));
  post('/generate-commit-message-stream', (body) => streamed(TASK_PROMPTS.commitMessage(body)));
  post('/prompt-enhancer', (body) => streamed(aboutConversation(body, ENHANCE, (said) => said.at(-1))));
  post('/generate-conversation-title', (body) =>
    atEnd(
      aboutConversation(body, TITLE, (said) => said[0]),
      titleLine,
    ),
  );
}

const PLAIN: AugmentContext = { isTyped: false, contextText: '' };

function streamed(call: ModelCall) {
  return { call, dialect: augmentDialect, isStreamed: true };
}

function whole(call: ModelCall, encodeResponse: (answer: ModelAnswer) => unknown) {
  return { call, dialect: { ...augmentDialect, encodeResponse }, isStreamed: false };
}

function atEnd(call: ModelCall, toLine: (text: string) => unknown) {
  const encodeStream: Dialect<AugmentContext>['encodeStream'] = (write) => encodeAtEnd(write, toLine);
  return { call, dialect: { ...augmentDialect, encodeStream }, isStreamed: true };
}

/**
 * The conversation as the chat endpoints read it, under another system prompt and without tools. One of the things the user
 * said is what is there without a model.
 */
function aboutConversation(
  body: TaskRequest,
  instruction: string,
  choose: (said: readonly string[]) => string | undefined,
): ModelCall {
  const hasQuestion = (body.nodes ?? []).length > 0 || (body.message ?? '') !== '';
  const asked = hasQuestion ? body : { ...body, message: instruction };
  const { call } = decodeAugmentRequest(asked, { systemPromptBase: instruction, isTyped: false, isStreamed: true });
  const said = call.prompt.flatMap((message) => (message.role === 'user' ? [textOf(message.content)] : []));
  return { ...call, tools: [], unchanged: choose(hasQuestion ? said : said.slice(0, -1)) ?? '' };
}

function textOf(content: Extract<ModelMessage, { role: 'user' }>['content']): string {
  return content.map((part) => (part.type === 'text' ? part.text : '')).join('');
}
