import type { AgentError, AgentEventOf, LoggedEvent, SessionState } from '@dragoman/protocol';
import { howToRun as howToRunHere } from '../how-to-run.ts';
import { cleanLine } from './clean-text.ts';
import { formatDuration } from './format-amounts.ts';
import { LiveRegion, type TerminalOutput } from './live-region.ts';
import { type MarkdownWriter, markdownWriter } from './markdown-writer.ts';
import { compactionLines, endingOf, errorLines, type HowToRun, retryLines, todoLines } from './notices.ts';
import { type Paint, painter } from './paint.ts';
import { TextFlow } from './text-flow.ts';
import { ToolActivity } from './tool-activity.ts';
import { TurnTotals } from './turn-totals.ts';
import { FRAME_MS, type Wait, waitLine } from './wait-line.ts';
import { wrapText } from './wrap-text.ts';

/** Shows what happens in a session, event by event. */
export interface EventView {
  /** `state` is the session after the event. Events of a subagent's session may be given too. */
  event(logged: LoggedEvent, state: SessionState): void;
  /** Nothing comes any more: what is open is written, and the terminal is left in order. */
  end(): void;
}

/** An event view that shares its terminal. */
export interface TerminalView extends EventView {
  /** Leaves the terminal to a question; what happens meanwhile is shown after the returned function was called. */
  hold(): () => void;
  /** Says what is waited for, until something happens in the session. */
  wait(label: string): void;
  /** A person was shown what this call would change, and need not see it twice. */
  noteShownChange(callID: string): void;
}

/** Time as the view sees it; events carry the same. */
export interface ViewClock {
  /** In milliseconds since 1970. */
  now(): number;
  /** Calls back again and again until the returned function is called. */
  every(ms: number, tick: () => void): () => void;
}

export interface TerminalViewOptions {
  output: TerminalOutput;
  isColored: boolean;
  clock?: ViewClock;
  howToRun?: HowToRun;
}

/** Where there is no terminal, lines that are cut are cut here. */
const PIPE_LINE_WIDTH = 200;
const SHORTEST_THOUGHT_MS = 1000;

/**
 * The work of an agent on a terminal or a pipe: text as it is written, a line per tool call, a line per thought, notices.
 *
 * What is final is written once and never touched again; what still changes is below it, on a terminal only. Calls are
 * written in the order in which they began, so that no line changes its place.
 */
export function terminalView(options: TerminalViewOptions): TerminalView {
  return new View(options);
}

class View implements TerminalView {
  readonly #output: TerminalOutput;
  readonly #isColored: boolean;
  readonly #paint: Paint;
  readonly #clock: ViewClock;
  readonly #howToRun: HowToRun;
  readonly #live: LiveRegion;
  readonly #tools: ToolActivity;
  readonly #totals = new TurnTotals();
  readonly #text = new TextFlow(() => this.#openWriter());
  #sessionID: string | undefined;
  #cwd = '';
  #last: 'nothing' | 'text' | 'activity' | 'notice' = 'nothing';
  /** Messages that are not for people: they sum up what left the view of the model. */
  readonly #summaries = new Set<string>();
  /** What is waited for, while nothing else is shown. */
  #wait: Wait | undefined;
  #thoughtMs: number | undefined;
  /** What is wrong with the latest answer, where the turn itself does not say it. */
  #ending: AgentError | undefined;
  #isOver = false;
  #stopTicking: (() => void) | undefined;

  constructor({ output, isColored, clock = systemClock, howToRun = howToRunHere }: TerminalViewOptions) {
    this.#howToRun = howToRun;
    this.#output = output;
    this.#isColored = isColored;
    this.#paint = painter(isColored);
    this.#clock = clock;
    this.#live = new LiveRegion(output);
    this.#tools = new ToolActivity(() => ({ paint: this.#paint, width: this.#lineWidth(), cwd: this.#cwd }));
  }

  event(logged: LoggedEvent, state: SessionState): void {
    this.#sessionID ??= state.info.id;
    const isSubagent = state.info.id !== this.#sessionID;
    this.#totals.add(logged, isSubagent);
    if (isSubagent) this.#tools.note(logged.event, state, true);
    else this.#show(logged, state);
    // There may be hundreds of these in a second; they are shown with the next tick.
    if (!/-delta$|^tool-metadata$/.test(logged.event.type)) this.#refresh();
  }

  end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#text.endAll();
    this.#wait = undefined;
    this.#writeThought();
    this.#writeEnded(false);
    this.#write('activity', this.#tools.takeOpen(this.#clock.now()));
    this.#write('notice', this.#totalLines());
    this.#refresh();
    this.#live.release();
  }

  hold(): () => void {
    this.#text.endAll();
    this.#live.hold();
    return () => {
      this.#live.release();
      this.#refresh();
    };
  }

  wait(label: string): void {
    this.#startWait(label, this.#clock.now());
    this.#refresh();
  }

  noteShownChange(callID: string): void {
    this.#tools.noteShownChange(callID);
  }

  #show(logged: LoggedEvent, state: SessionState): void {
    const { event, at } = logged;
    this.#cwd = state.info.cwd;
    switch (event.type) {
      case 'start-step':
        if (event.info.summary === true) this.#summaries.add(event.info.id);
        return this.#startWait(
          event.info.summary === true ? 'summing up' : `waiting for ${event.info.model.modelID}`,
          at,
        );
      case 'reasoning-start':
        return this.#startWait('thinking', at - (this.#thoughtMs ?? 0));
      case 'reasoning-delta':
        if (this.#wait !== undefined) this.#wait.gist = (this.#wait.gist + event.delta).slice(-PIPE_LINE_WIDTH * 2);
        return;
      case 'reasoning-end':
        return this.#endThought(event, state);
      case 'text-delta':
        return this.#summaries.has(event.messageID) ? undefined : this.#text.add(event.partID, event.delta);
      case 'text-end':
        return this.#text.end(event.partID);
      case 'tool-input-start':
      case 'tool-input-delta':
      case 'tool-call':
      case 'tool-state':
      case 'tool-metadata':
      case 'tool-result':
        return this.#noteTool(logged, state);
      case 'part-removed':
        this.#text.remove(event.partID);
        return this.#tools.note(event, state, false);
      case 'part-added':
        if (event.part.type === 'retry') return this.#notice(retryLines(event.part, this.#notices()));
        return event.part.type === 'tool' ? this.#noteTool(logged, state) : undefined;
      case 'finish-step':
        this.#ending = this.#summaries.has(event.messageID) ? undefined : endingOf(event, state);
        this.#text.endAll();
        this.#wait = undefined;
        return this.#writeThought();
      case 'compacted':
        return this.#notice(compactionLines(event, this.#notices()));
      case 'todos-updated':
        if (!this.#tools.noteTodos(event.todos)) this.#notice(todoLines(event.todos, this.#notices()));
        return;
      case 'turn-finished':
        this.#text.endAll();
        this.#wait = undefined;
        this.#writeThought();
        this.#writeEnding(event.error);
        return;
      default: // What is left has no place on a terminal.
    }
  }

  /** An answer that is none, or not a whole one, must not look like one. */
  #writeEnding(error: AgentError | undefined): void {
    const ended = error ?? this.#ending;
    this.#ending = undefined;
    if (ended !== undefined) this.#write('notice', errorLines(ended, this.#howToRun, this.#notices()));
  }

  #startWait(label: string, since: number): void {
    this.#wait = { label, since, gist: '' };
  }

  /** Thoughts that follow each other are one line. */
  #endThought({ messageID, partID }: AgentEventOf<'reasoning-end'>, state: SessionState): void {
    const message = state.messages.findLast(({ info }) => info.id === messageID);
    const part = message?.parts.findLast(({ id }) => id === partID);
    const time = part?.type === 'reasoning' ? (part.time as { start: number; end?: number }) : undefined;
    this.#wait = undefined;
    if (time?.end === undefined || this.#summaries.has(messageID)) return;
    const ms = time.end - time.start;
    if (ms >= SHORTEST_THOUGHT_MS || (part as { text: string }).text.trim() !== '')
      this.#thoughtMs = (this.#thoughtMs ?? 0) + ms;
  }

  #writeThought(): void {
    if (this.#thoughtMs === undefined) return;
    const line = this.#thoughtLine(this.#thoughtMs);
    this.#thoughtMs = undefined;
    this.#write('activity', [line]);
  }

  #thoughtLine(ms: number): string {
    return this.#paint('dim', `thought for ${formatDuration(ms)}`);
  }

  /** What stands before a text is written with its first word: a text may turn out to be empty. */
  #openWriter(): MarkdownWriter {
    let isBegun = false;
    return markdownWriter({
      width: this.#textWidth(),
      isColored: this.#isColored,
      write: (text) => {
        if (!isBegun) {
          isBegun = true;
          this.#wait = undefined;
          this.#writeThought();
          this.#writeEnded(true);
          this.#live.update('', []);
          this.#live.append(this.#gapBefore('text'));
          this.#last = 'text';
        }
        this.#live.append(text);
      },
    });
  }

  /** Some providers end a text only after the calls that follow it; for the screen it is over then. */
  #noteTool({ event }: LoggedEvent, state: SessionState): void {
    if (event.type !== 'tool-input-delta') {
      this.#text.endAll();
      this.#wait = undefined;
      this.#writeThought();
    }
    this.#tools.note(event, state, false);
    if (event.type === 'tool-result' || !this.#live.isTerminal) this.#writeEnded(this.#live.isTerminal);
  }

  #writeEnded(isInOrder: boolean): void {
    this.#write('activity', this.#tools.takeEnded(isInOrder));
  }

  #notice(lines: string[]): void {
    this.#text.endAll();
    this.#writeThought();
    this.#write('activity', lines);
  }

  #write(kind: 'activity' | 'notice', lines: readonly string[]): void {
    if (lines.length === 0) return;
    const gap = this.#gapBefore(kind);
    this.#last = kind;
    this.#live.update(`${gap}${lines.join('\n')}\n`, this.#text.isOpen ? [] : this.#liveLines());
  }

  #gapBefore(kind: 'text' | 'activity' | 'notice'): string {
    return this.#last === 'nothing' || (this.#last === 'activity' && kind === 'activity') ? '' : '\n';
  }

  #refresh(): void {
    const lines = this.#text.isOpen ? [] : this.#liveLines();
    this.#live.update('', lines);
    if (lines.length === 0) {
      this.#stopTicking?.();
      this.#stopTicking = undefined;
    } else this.#stopTicking ??= this.#clock.every(FRAME_MS, () => this.#refresh());
  }

  #liveLines(): string[] {
    if (!this.#live.isTerminal) return [];
    const now = this.#clock.now();
    const tools = this.#tools.liveLines(now);
    const wait =
      tools.length === 0 && this.#wait !== undefined
        ? [this.#paint('dim', waitLine(this.#wait, now, this.#lineWidth()))]
        : [];
    const thought =
      this.#thoughtMs !== undefined && this.#wait?.label !== 'thinking' ? [this.#thoughtLine(this.#thoughtMs)] : [];
    const lines = [...thought, ...tools, ...wait];
    const most = Math.max(3, (this.#output.rows || 24) - 3);
    if (lines.length > most)
      lines.splice(most - 1, lines.length, this.#paint('dim', `… ${lines.length - most + 1} more`));
    return lines.length > 0 && this.#gapBefore('activity') !== '' ? ['', ...lines] : lines;
  }

  /** A number stays with its unit where the line is wrapped. */
  #totalLines(): string[] {
    const totals = cleanLine(this.#totals.describe(this.#clock.now()) ?? '');
    if (totals === '') return [];
    const lines = wrapText(totals.replace(/(\d) (?=[a-z])/g, '$1\u00A0'), this.#textWidth());
    return lines.map((line) => this.#paint('dim', line.replaceAll('\u00A0', ' ')));
  }

  #notices() {
    return { paint: this.#paint, width: this.#textWidth() };
  }

  /** A line that fills the last column would wrap on some terminals. */
  #lineWidth(): number {
    return this.#live.isTerminal ? (this.#output.columns || 80) - 1 : PIPE_LINE_WIDTH;
  }

  #textWidth(): number {
    return this.#live.isTerminal ? (this.#output.columns || 80) - 1 : Number.POSITIVE_INFINITY;
  }
}

const systemClock: ViewClock = {
  now: Date.now,
  every(ms, tick) {
    const timer = setInterval(tick, ms);
    timer.unref();
    return () => clearInterval(timer);
  },
};
