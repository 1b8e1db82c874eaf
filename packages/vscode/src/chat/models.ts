import { DragomanError, readHubError } from '@dragoman/protocol';
import * as vscode from 'vscode';
import type { ExtensionParts } from '../extension-parts.ts';
import type { RunningServer } from '../server/server-link.ts';
import { chatWords } from './chat-words.ts';
import { convertMessages } from './convert-messages.ts';
import { estimateTokens } from './estimate-tokens.ts';
import { listModels } from './list-models.ts';
import { readAnswer } from './read-answer.ts';

/** Whose models these are, in the manifest and in the names of models. */
export const VENDOR = 'dragoman';

/** The gateway has its own limits for each provider; this one is for a server that is stuck. */
const SILENT_MS = 10 * 60_000;
/** What a caller may set beside the messages, under the names of the dialect. */
const MODEL_OPTIONS = ['temperature', 'top_p', 'max_tokens', 'stop', 'seed', 'presence_penalty', 'frequency_penalty'];

/** What the models need of the extension. */
type ModelParts = Pick<ExtensionParts, 'link' | 'log'> & {
  /** Whether the person uses the chat, so that the server may be started for it without being asked. */
  isWanted(): boolean;
};

/** Every route of the gateway as a language model of the editor. Does nothing in editors that have no such thing. */
export function registerModels({ link, log, isWanted }: ModelParts): vscode.Disposable {
  const lm = vscode.lm as Partial<typeof vscode.lm> | undefined;
  if (lm?.registerLanguageModelChatProvider === undefined) return new vscode.Disposable(() => {});
  const changed = new vscode.EventEmitter<void>();
  let known = '';
  const following = link.onDidChange(() => {
    const { kind, server } = link.state;
    // One that was started anew may have other models at the same address.
    const before = known;
    known = kind === 'ready' ? (server?.url ?? '') : '';
    if (kind !== 'ready' || known === before) return;
    changed.fire();
    makeModelsKnown().catch((error: unknown) => log.warn(`The models could not be shown: ${String(error)}`));
  });
  const provider: vscode.LanguageModelChatProvider = {
    onDidChangeLanguageModelChatInformation: changed.event,
    async provideLanguageModelChatInformation({ silent }, token) {
      if (silent && link.state.kind !== 'ready' && !isWanted()) return [];
      try {
        return await untilCancelled(token, async (signal) => listModels(await link.ready(), signal));
      } catch (error) {
        // An empty list is what the editor can show; the person is told where they asked for something.
        log.warn(`The models could not be listed: ${messageOf(error)}`);
        if (silent) return [];
        throw error;
      }
    },
    provideLanguageModelChatResponse: (model, messages, options, progress, token) =>
      untilCancelled(token, async (signal, isAlive) => {
        const body = {
          model: model.id,
          messages: convertMessages(messages),
          stream: true,
          ...toTools(options),
          ...toOptions(options.modelOptions),
        };
        const answer = await post(await link.ready(), '/v1/chat/completions', body, signal);
        await readAnswer(
          answer,
          {
            text: (piece) => progress.report(new vscode.LanguageModelTextPart(piece)),
            toolCall: ({ id, name, input }) => progress.report(new vscode.LanguageModelToolCallPart(id, name, input)),
          },
          isAlive,
        );
      }),
    provideTokenCount: async (_model, given) => estimateTokens(given),
  };
  return vscode.Disposable.from(lm.registerLanguageModelChatProvider(VENDOR, provider), following, changed);
}

/** The list of models in the chat shows ours only after somebody asked for them once. */
export async function makeModelsKnown(): Promise<void> {
  // Editors that are built on this one may not have it.
  const lm = vscode.lm as Partial<typeof vscode.lm> | undefined;
  await lm?.selectChatModels?.({ vendor: VENDOR });
}

/** Does something with a signal that follows the editor's token, and ends what gives no sign of life. */
async function untilCancelled<Result>(
  token: vscode.CancellationToken,
  work: (signal: AbortSignal, isAlive: () => void) => Promise<Result>,
): Promise<Result> {
  const ending = new AbortController();
  const late = () =>
    ending.abort(new DragomanError('timed-out', chatWords.now().silent(SILENT_MS / 1000), { isRetryable: true }));
  const timer = setTimeout(late, SILENT_MS);
  const listening = token.onCancellationRequested(() => ending.abort(new vscode.CancellationError()));
  if (token.isCancellationRequested) ending.abort(new vscode.CancellationError());
  try {
    ending.signal.throwIfAborted();
    return await work(ending.signal, () => void timer.refresh());
  } catch (error) {
    throw ending.signal.aborted ? ending.signal.reason : error;
  } finally {
    clearTimeout(timer);
    listening.dispose();
  }
}

async function post(
  { url, token }: RunningServer,
  path: string,
  body: unknown,
  signal: AbortSignal,
): Promise<ReadableStream<Uint8Array>> {
  let answer: Response;
  try {
    answer = await fetch(url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal,
    });
  } catch (cause) {
    const { cause: deeper, message } = cause as Error & { cause?: { code?: string } };
    throw new DragomanError('unavailable', `The server at ${url} cannot be reached: ${deeper?.code ?? message}.`, {
      cause,
      isRetryable: true,
    });
  }
  if (answer.ok && answer.body !== null) return answer.body;
  throw readHubError({ call: `POST ${path}`, status: answer.status, text: await answer.text() });
}

function toTools({ tools = [], toolMode }: vscode.ProvideLanguageModelChatResponseOptions): object {
  if (tools.length === 0) return {};
  return {
    tools: tools.map(({ name, description, inputSchema }) => ({
      type: 'function',
      function: { name, description, parameters: inputSchema ?? { type: 'object', properties: {} } },
    })),
    tool_choice: toolMode === vscode.LanguageModelChatToolMode.Required ? 'required' : 'auto',
  };
}

function toOptions(given: Readonly<Record<string, unknown>> = {}): object {
  return Object.fromEntries(Object.entries(given).filter(([name]) => MODEL_OPTIONS.includes(name)));
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
