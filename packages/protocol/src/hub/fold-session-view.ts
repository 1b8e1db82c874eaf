import type { HubEvent, LoggedHubEvent } from './hub-event.ts';
import type { SessionView } from './session-view.ts';
import { NOTHING_TAKEN_OUT } from './taken-out.ts';
import { ViewDraft } from './view-draft.ts';

/**
 * The view after one more event. An event whose number is in the view already changes nothing, so a reader may be told
 * twice.
 *
 * Pure: nothing that was given is changed. The same events give the same view, however their deltas were cut and whether the
 * blocks come in pieces or whole, from the log.
 */
export function foldHubEvent(view: SessionView | undefined, logged: LoggedHubEvent): SessionView {
  return foldInto(view, [logged])!;
}

/** The events of a session to its view; many of them cost less together than one by one. */
export function foldHubEvents(events: Iterable<LoggedHubEvent>, from: SessionView): SessionView;
export function foldHubEvents(events: Iterable<LoggedHubEvent>, from?: SessionView): SessionView | undefined;
export function foldHubEvents(events: Iterable<LoggedHubEvent>, from?: SessionView): SessionView | undefined {
  return foldInto(from, events);
}

function foldInto(from: SessionView | undefined, events: Iterable<LoggedHubEvent>): SessionView | undefined {
  const fold = new SessionFold(from);
  fold.add(events);
  return fold.finish();
}

/**
 * The events of a session to its view, as they are read: what is the same for all of them is done once, at the end, and
 * between two pages others may have their turn.
 */
export class SessionFold {
  #view: SessionView | undefined;
  #draft: ViewDraft | undefined;

  constructor(from?: SessionView) {
    this.#view = from;
  }

  /** The number of the last event that was added. */
  get seq(): number {
    return this.#view?.seq ?? 0;
  }

  /** Adds what comes next. */
  add(events: Iterable<LoggedHubEvent>): void {
    for (const logged of events) {
      if (this.#view === undefined) this.#view = firstView(logged);
      else if (logged.seq > this.#view.seq) {
        this.#draft ??= new ViewDraft(this.#view);
        addEvent(this.#draft, logged);
        this.#draft.set({ seq: logged.seq, updatedAt: logged.at });
        this.#view = this.#draft.view;
      }
    }
  }

  /** The view with everything that was added, and the end of this. Nothing where there was no event. */
  finish(): SessionView | undefined {
    return this.#draft === undefined ? this.#view : this.#draft.finish();
  }
}

function firstView({ seq, at, event }: { seq: number; at: number; event: HubEvent | null | undefined }): SessionView {
  if (event?.type !== 'session-created')
    throw new Error(`A session's log begins with "session-created", not with "${event?.type}".`);
  const info = event.session;
  return {
    info,
    title: info.title,
    isNamed: info.isNamed === true,
    isPinned: false,
    isArchived: false,
    messages: [],
    tools: new Map(),
    approvals: [],
    queue: [],
    turn: undefined,
    turns: [],
    closedSeq: 0,
    agentState: 'starting',
    agentError: undefined,
    agentSessionId: undefined,
    cwd: info.folder,
    branch: undefined,
    model: info.model,
    mode: info.mode,
    models: [],
    modes: [],
    commands: [],
    capabilities: {},
    plan: undefined,
    usage: {},
    takenOut: NOTHING_TAKEN_OUT,
    seq,
    createdAt: at,
    updatedAt: at,
  };
}

/** What one event changes. A log may hold more than this program knows, and what another one wrote: that is passed over. */
function addEvent(draft: ViewDraft, logged: LoggedHubEvent): void {
  const { at } = logged;
  const event: HubEvent | null | undefined = logged.event;
  switch (event?.type) {
    case 'block-start':
      return draft.openBlock(event, logged);
    case 'block-delta':
      return draft.addToBlock(event);
    case 'block-stop':
      return draft.closeBlock(event, logged);
    case 'session-updated':
      return draft.set({
        ...(event.title !== undefined && { title: event.title, isNamed: true }),
        ...(event.pinned !== undefined && { isPinned: event.pinned }),
        ...(event.archived !== undefined && { isArchived: event.archived }),
      });
    case 'session-moved':
      return draft.move(event, logged);
    case 'prompt-queued':
      return draft.queuePrompt(event.prompt);
    case 'prompt-withdrawn':
      draft.takePrompt(event.promptId);
      return;
    case 'prompt-taken':
      return draft.showPrompt(event.promptId, event.turnId, logged);
    case 'turn-started':
      draft.startTurn(event.turnId, logged);
      if (event.promptId !== undefined) draft.showPrompt(event.promptId, event.turnId, logged);
      return;
    case 'turn-finished': {
      const { turnId, reason, error, endedAt } = event;
      return draft.finishTurn(turnId, { reason, ...(error && { error }) }, logged, endedAt);
    }
    case 'reverted':
      return draft.takeOut(event.messageId, logged);
    case 'approval-asked':
      return draft.askApproval(event.approval, logged);
    case 'approval-withdrawn':
      return draft.decideApproval(event.approvalId, { reply: { type: 'cancelled' }, by: { type: 'agent' }, at });
    case 'approval-decided':
      return draft.decideApproval(event.approvalId, { reply: event.reply, by: event.by, at });
    case 'agent-updated': {
      const { type: _, title, ...told } = event;
      if (title !== undefined && !draft.view.isNamed) draft.set({ title });
      return draft.set(withoutAbsent(told));
    }
    case 'agent-state':
      draft.set({ agentState: event.state, agentError: event.error });
      draft.set(withoutAbsent({ cwd: event.cwd, branch: event.branch }));
      // An agent that is gone goes on with nothing. Its turn may still be told to have ended, and how.
      if (event.state === 'stopped') draft.endWork({ reason: 'interrupted' }, logged);
      if (event.state === 'failed')
        draft.endWork({ reason: 'failed', ...(event.error && { error: event.error }) }, logged);
      return;
    default:
  }
}

/** What is absent stays as it was. */
function withoutAbsent<Fields extends object>(
  fields: Fields,
): { [Key in keyof Fields]?: Exclude<Fields[Key], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [Key in keyof Fields]?: Exclude<Fields[Key], undefined>;
  };
}
