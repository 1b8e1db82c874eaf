import { foldHubEvents, type LoggedHubEvent, partMaker, type SessionPart, type SessionView } from '@dragoman/protocol';
import type { ChannelRenderer, Scene } from '../../packages/hub/src/channels/channel.ts';
import { fingerprintOf } from '../../packages/hub/src/channels/wanted-post.ts';
import { larkRenderer } from '../../packages/hub/src/lark/cards/card-renderer.ts';
import { telegramRenderer } from '../../packages/hub/src/telegram/telegram-renderer.ts';
import { sessionOf } from '../../testkit/src/written-session.ts';
import { middle } from '../hub/measure-crowd.ts';

/** What one renderer takes for a session. */
export interface Rendering {
  title: string;
  /** All of it, in ms of CPU. */
  wholeMs: number;
  /** The posts that it is. */
  posts: number;
  /** One more word at its end: folded, made into parts, and shown where something changed, in ms of CPU. */
  wordMs: number;
}

const RENDERERS: Readonly<Record<string, ChannelRenderer<unknown>>> = {
  Telegram: telegramRenderer,
  Lark: larkRenderer,
};
const WORDS = 30;

/** A session of so many blocks in so many turns, of which the last one goes on, shown by each renderer. */
export function measureRendering({ blocks, turns }: { blocks: number; turns: number }): Rendering[] {
  const view = writtenView(blocks, turns);
  return Object.entries(RENDERERS).map(([title, renderer]) => {
    for (const warm of [1, 2]) render(renderer, writtenView(200 * warm, 2)); // What is fast later is compiled here.
    const makeParts = partMaker();
    makeParts(view);
    const from = process.cpuUsage();
    const posts = render(renderer, view, makeParts);
    const wholeMs = spentSince(from);
    return { title, wholeMs, posts, wordMs: oneMoreWord(renderer, view, makeParts) };
  });
}

function oneMoreWord(
  renderer: ChannelRenderer<unknown>,
  view: SessionView,
  makeParts: ReturnType<typeof partMaker>,
): number {
  let now = view;
  let known = new Set(makeParts(now));
  const times: number[] = [];
  for (let word = 0; word < WORDS; word++) {
    const event: LoggedHubEvent = {
      seq: now.seq + 1,
      at: 1_900_000_000_000,
      event: { type: 'block-delta', blockId: 'blk_open', delta: `word ${word} ` },
    };
    const from = process.cpuUsage();
    now = foldHubEvents([event], now)!;
    const parts = makeParts(now);
    for (const part of parts) if (!known.has(part)) show(renderer, part, now);
    times.push(spentSince(from));
    known = new Set(parts);
  }
  return middle(times);
}

/** The machine may be busy with other things, so it is the CPU that counts. */
function spentSince(from: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(from);
  return (user + system) / 1_000;
}

function render(renderer: ChannelRenderer<unknown>, view: SessionView, makeParts = partMaker()): number {
  return makeParts(view).reduce((sum, part) => sum + show(renderer, part, view), 0);
}

/** A part as the desk wants it: rendered, and compared with what is there. */
function show(renderer: ChannelRenderer<unknown>, part: SessionPart, view: SessionView): number {
  const scene: Scene = { view, language: 'en', link: 'https://dragoman.example/sessions/ses_1', ownPrompts: new Map() };
  const posts = renderer.part(part, scene);
  for (const { body } of posts) fingerprintOf(body);
  return posts.length;
}

/** Each step is a thought, a text and two calls with their results: six blocks. */
function writtenView(blocks: number, turns: number): SessionView {
  const session = sessionOf();
  let written = 0;
  for (let turn = 0; turn < turns; turn++) {
    session.turn(`Please look at room ${turn}.`);
    for (const end = Math.round(((turn + 1) * blocks) / turns); written < end; written += 6)
      writeStep(session, written);
    if (turn < turns - 1) session.endTurn();
  }
  session.open('blk_open', { type: 'text', text: '' });
  return session.view();
}

function writeStep(session: ReturnType<typeof sessionOf>, number: number): void {
  const path = `src/rooms/room-${number}.ts`;
  session.block('assistant', {
    type: 'thinking',
    thinking: `I look at ${path} first, because the door is in it. `.repeat(4),
  });
  session.say(
    `## Room ${number}\n\nThe *door* of \`${path}\` is **open**:\n\n- one\n- two\n\n\`\`\`ts\nopen(${number});\n\`\`\`\n`,
  );
  session.call(`read${number}`, 'read', { kind: 'read', input: { path }, title: `Read ${path}` });
  session.call(`run${number}`, 'bash', { kind: 'execute', input: { command: `npm test ${path}` }, title: 'npm test' });
}
