import { findRoot, type SessionListing, type SessionRunner } from '@dragoman/agent';
import { type AnyPart, DragomanError, type Message, type SessionState } from '@dragoman/protocol';
import { namedFolder } from '../choose-folder.ts';
import { formatMoment } from '../format-moment.ts';
import { formatTable } from '../format-table.ts';
import { howToRun } from '../how-to-run.ts';
import type { CommonOptions } from '../load-setup.ts';
import { type LocalAgent, withLocalAgent } from '../open-local-agent.ts';
import { openTerminalHub } from '../open-terminal-hub.ts';
import { showSession } from '../show-session.ts';
import { cleanLine } from '../terminal/clean-text.ts';
import { print, printError, printJson, printPainted } from '../terminal/print.ts';
import { terminalLooks } from '../terminal-looks.ts';

interface JsonOption extends CommonOptions {
  json?: boolean;
}

const LISTED = 50;

/** The sessions of this project, or of all of them; the latest first. */
export async function listSessions(
  options: JsonOption & { all?: boolean; cwd?: string; limit?: string },
): Promise<void> {
  const limit = readLimit(options.limit);
  const root = options.all === true ? undefined : findRoot(namedFolder(options.cwd));
  const found = await withLocalAgent(options, ({ agent }) =>
    agent.list({ ...(root === undefined ? {} : { root }), limit: limit + 1 }),
  );
  const listed = found.slice(0, limit);
  if (options.json === true) printJson(listed, 2);
  else if (listed.length === 0) print(noSessions(root));
  else {
    const head = ['id', 'last used', ...(root === undefined ? ['folder'] : []), 'title'];
    print(
      formatTable(
        head,
        listed.map((session) => toRow(session, root === undefined)),
      ),
    );
  }
  if (found.length > limit) printError(`There are more. Use --limit ${limit * 2} to show them.`);
}

/** The conversation as text, or as the messages it is made of. */
export async function showOneSession(id: string, options: JsonOption): Promise<void> {
  const state = await withLocalAgent(options, ({ agent }) => agent.read(id));
  if (options.json === true) printJson(toJson(state), 2);
  else printPainted(showSession(state, terminalLooks()));
}

/** A session of its own with what another one says, up to a message. */
export async function forkSession(id: string, options: JsonOption & { before?: string }): Promise<void> {
  const fork = await withLocalAgent(options, async ({ agent }) => (await agent.fork(id, options.before)).id);
  if (options.json === true) {
    printJson({ id: fork });
    return;
  }
  print(fork);
  printError(`Continue with: ${howToRun(`run --session ${fork} "…"`)}`);
}

/** Takes messages back, from one on, and the changes to files that came with them. */
export async function revertSession(
  id: string,
  messageID: string | undefined,
  options: JsonOption & { last?: boolean },
): Promise<void> {
  if ((messageID === undefined) === (options.last !== true))
    throw new DragomanError(
      'bad-request',
      `Name the message to revert from, or use --last for the last prompt. To list messages: dragoman sessions show ${id}`,
    );
  const done = await withSession(id, options, async (runner, { agent }) => {
    const from = messageID ?? lastPrompt(runner.state);
    return { messageID: from, ...(await agent.revert(runner, from)) };
  });
  if (options.json === true) {
    printJson(done);
    return;
  }
  print(`Reverted from ${done.messageID} on.${filesOf(done.files)}`);
  for (const skipped of done.skipped) printError(`Not restored: ${cleanLine(skipped)}`);
  printError(`To undo this before the next prompt: ${howToRun(`sessions unrevert ${id}`)}`);
}

/** Brings back what was taken back. */
export async function unrevertSession(id: string, options: JsonOption): Promise<void> {
  const done = await withSession(id, options, (runner, { agent }) => agent.unrevert(runner));
  if (options.json === true) printJson(done);
  else print(`Revert undone.${filesOf(done.files)}`);
}

/** Forgets a session for good. */
export async function removeSession(id: string, options: JsonOption): Promise<void> {
  await withLocalAgent(options, async (local) => {
    await local.agent.remove(id);
    const hub = await openTerminalHub(local);
    try {
      await hub.desk.remove(id);
    } finally {
      await hub.close();
    }
  });
  if (options.json === true) printJson({ id });
  else print(`Session ${id} deleted.`);
}

/** For what changes a session: it is held meanwhile, and let go of. */
function withSession<Result>(
  id: string,
  options: CommonOptions,
  use: (runner: SessionRunner, local: LocalAgent) => Promise<Result>,
): Promise<Result> {
  return withLocalAgent(options, async (local) => use(await local.agent.open(id), local));
}

/** The last thing a person asked that still counts. */
function lastPrompt({ info, messages, revert }: SessionState): string {
  const end = messages.findIndex((message) => message.info.id === revert?.messageID);
  const last = (end === -1 ? messages : messages.slice(0, end)).findLast(isPrompt);
  if (last === undefined) throw new DragomanError('not-found', `Session ${info.id} has no prompt left to revert.`);
  return last.info.id;
}

/** Not a mark, nor what the runtime says in a person's place. */
function isPrompt({ info, parts }: Message): boolean {
  const isOfPerson = (part: AnyPart) =>
    part.type === 'text' ? part.synthetic !== true : ['file', 'subtask', 'agent'].includes(part.type);
  return info.role === 'user' && parts.some(isOfPerson);
}

function toRow({ id, updatedAt, root, title }: SessionListing, isOfAll: boolean): string[] {
  return [id, formatMoment(updatedAt), ...(isOfAll ? [cleanLine(root)] : []), cleanLine(title)];
}

/** What a program needs of a session; the system prompt is not for it. */
function toJson({ info, messages, queue, turn, counters, cost, tokens, todos, revert }: SessionState) {
  return { session: info, messages, queue, turn, counters, cost, tokens, todos, revert };
}

function noSessions(root: string | undefined): string {
  const begin = `Start one with: ${howToRun('run "…"')}`;
  return root === undefined ? `No sessions yet. ${begin}` : `No sessions in ${cleanLine(root)}. ${begin}`;
}

function filesOf(files: readonly string[]): string {
  if (files.length === 0) return ' No files changed.';
  return ` Files restored:\n${files.map((file) => `  ${cleanLine(file)}`).join('\n')}`;
}

function readLimit(given: string | undefined): number {
  const limit = Number(given ?? LISTED);
  if (Number.isInteger(limit) && limit >= 1 && limit <= 10_000) return limit;
  throw new DragomanError('bad-request', `--limit ${given}: expected a whole number from 1 to 10000.`);
}
