import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  createHubClient,
  type HubClient,
  type SessionView,
  type ShownApproval,
  type ShownBlock,
} from '@dragoman/protocol';
import { type RunningDragoman, type ScriptedAnswer, serveDragoman, tempFolder } from '@dragoman/testkit';
import { onTestFinished } from 'vitest';
import { tokenOf } from './people.fixture.ts';

/** How long anything may take on a busy machine. */
const LIMIT_MS = 120_000;

/** A server with a hub, and its owner's client. */
export interface HubServer extends RunningDragoman {
  owner: HubClient;
}

/** Starts a server with this configuration, or the one that is there, on a data folder that may have been used before. */
export async function serveHub(
  config: object | undefined,
  { home = tempFolder(), args = [], env = {} }: { home?: string; args?: string[]; env?: Record<string, string> } = {},
): Promise<HubServer> {
  if (config !== undefined) writeFileSync(join(home, 'dragoman.json'), JSON.stringify(config));
  const server = await serveDragoman(args, { home, env });
  return { ...server, owner: hubClient(server.url, server.token) };
}

/** The typed client, ended with the test. */
function hubClient(url: string, token: string): HubClient {
  const ending = new AbortController();
  onTestFinished(() => ending.abort());
  return createHubClient({ url, token, signal: ending.signal, times: { firstRetryMs: 50, maxRetryMs: 500 } });
}

/** A client of somebody else. */
export async function clientOf(server: HubServer, name: string, role: 'member' | 'viewer'): Promise<HubClient> {
  return hubClient(server.url, await tokenOf(server, { name, role }));
}

/** A folder with these files. */
export function projectWith(files: Record<string, string | Buffer>): string {
  const folder = tempFolder();
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content, { mode: 0o755 });
  }
  return folder;
}

/** Follows a session until it is as the test wants it. */
export async function viewUntil(
  client: HubClient,
  sessionId: string,
  isThere: (view: SessionView) => boolean,
): Promise<SessionView> {
  const found = new AbortController();
  let view: SessionView | undefined;
  await client.followView(sessionId, {
    signal: AbortSignal.any([found.signal, AbortSignal.timeout(LIMIT_MS)]),
    onView(news) {
      if (found.signal.aborted) return;
      view = news;
      if (isThere(news)) found.abort();
    },
  });
  if (found.signal.aborted) return view!;
  throw new Error(`the session did not get there within ${LIMIT_MS} ms; it is ${JSON.stringify(view)}`);
}

/** The session when that many turns are over, and nothing waits. */
export function turnsOver(client: HubClient, sessionId: string, count = 1): Promise<SessionView> {
  return viewUntil(
    client,
    sessionId,
    ({ turns, queue }) => queue.length === 0 && turns.filter((turn) => turn.finishedAt !== undefined).length >= count,
  );
}

/** The question that waits. */
export async function approvalOf(client: HubClient, sessionId: string): Promise<ShownApproval> {
  const isWaiting = (approval: ShownApproval) => approval.decided === undefined;
  const view = await viewUntil(client, sessionId, ({ approvals }) => approvals.some(isWaiting));
  return view.approvals.find(isWaiting)!;
}

/** Everything that is shown, one after the other. */
export function blocksOf(view: SessionView): ShownBlock['block'][] {
  return view.messages.flatMap(({ blocks }) => blocks.map(({ block }) => block));
}

/** What a session is after all: each block by its type and what it says, but for usage. */
export function toldBy(view: SessionView): string[] {
  return blocksOf(view).flatMap((block) => {
    switch (block.type) {
      case 'text':
        return [`text ${block.text}`];
      case 'thinking':
        return [`thinking ${block.thinking}`];
      case 'tool_use':
        return [`tool_use ${block.name} ${view.tools.get(block.id)?.status}`];
      case 'tool_result':
        return [`tool_result ${typeof block.content === 'string' ? block.content : JSON.stringify(block.content)}`];
      case 'usage':
        return [];
      default:
        return [block.type];
    }
  });
}

/** A provider that a test scripts, as the configuration names it. */
export function scripted(url: string): object {
  return {
    providers: { scripted: { type: 'openai-chat', baseUrl: `${url}/v1`, apiKey: 'key', models: ['test-model'] } },
    routes: { default: ['scripted/test-model'] },
    agent: { titles: { auto: false } },
  };
}

/** The model calls a tool. */
export function calls(name: string, input: object, id = 'call_1'): ScriptedAnswer {
  const call = { index: 0, id, type: 'function', function: { name, arguments: JSON.stringify(input) } };
  return { body: [delta({ role: 'assistant', tool_calls: [call] }), delta({}, 'tool_calls'), USAGE, DONE] };
}

/** The model says something; a promise between the pieces holds it there. */
export function says(...pieces: (string | Promise<unknown>)[]): ScriptedAnswer {
  const body = pieces.map((piece) =>
    typeof piece === 'string' ? delta({ role: 'assistant', content: piece }) : piece,
  );
  return { body: [...body, delta({}, 'stop'), USAGE, DONE] };
}

/** The same to a caller that asked for the whole answer at once. */
export function saysAtOnce(content: string): ScriptedAnswer {
  return {
    body: JSON.stringify({
      id: 'c',
      object: 'chat.completion',
      created: 1,
      model: 'test-model',
      choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
    }),
  };
}

const DONE = 'data: [DONE]\n\n';
const USAGE = line({ choices: [], usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 } });

function delta(piece: object, reason: string | null = null): string {
  return line({ choices: [{ index: 0, delta: piece, finish_reason: reason }] });
}

function line(fields: object): string {
  return `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'test-model', ...fields })}\n\n`;
}
