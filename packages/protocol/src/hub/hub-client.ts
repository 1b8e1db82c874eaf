import { DragomanError } from '../dragoman-error.ts';
import { foldHubEvents } from './fold-session-view.ts';
import { followStream, type StreamState, type StreamTimes } from './follow-stream.ts';
import type { HubChange } from './hub-calls.ts';
import type { LoggedHubEvent } from './hub-event.ts';
import { callMethods, joined, pathOf } from '../api/call-methods.ts';
import type { HubMethods } from './hub-methods.ts';
import { type HubAddress, hubSender } from './hub-request.ts';
import { HUB_ROUTES } from './hub-routes.ts';
import { openEvents } from './open-events.ts';
import type { ServerEvent } from './read-server-events.ts';
import type { SessionView } from './session-view.ts';

/** How a stream is followed. */
export interface FollowOptions {
  signal?: AbortSignal | undefined;
  onState?: ((state: StreamState) => void) | undefined;
}

/**
 * The hub's API, one method per call.
 *
 * Methods reject with a `DragomanError`: the server's own (`HubError`), `unavailable` when it cannot be reached,
 * `timed-out` or `cancelled`. Nothing is repeated by itself but streams, which come back for ever; they resolve when
 * their signal ends them and reject when it is no use to ask again (no token, no such session).
 */
export interface HubClient extends HubMethods {
  /** What happens in a session, in order and each event once, from behind `after` on. */
  followSession(
    sessionId: string,
    options: FollowOptions & { after?: number | undefined; onEvents: (events: LoggedHubEvent[]) => void },
  ): Promise<void>;
  /** The session as it is, again with each change; from a view that is known already, or from the beginning. */
  followView(
    sessionId: string,
    options: FollowOptions & { view?: SessionView | undefined; onView: (view: SessionView) => void },
  ): Promise<void>;
  /** Sessions and machines as they change. Lists are to be read again whenever the stream is `live`. */
  followChanges(options: FollowOptions & { onChange: (change: HubChange) => void }): Promise<void>;
  /** Any other stream of the server: what each of its events says, as it comes. */
  follow<Message>(path: string, receive: (message: Message) => void, options: FollowOptions): Promise<void>;
  /** The network is back: streams that wait try again now, and those that look dead are opened anew. */
  online(): void;
}

/** Where the server is, as whom it is called, and for how long. */
export interface HubClientOptions extends HubAddress {
  /** Ends every call and every stream. */
  signal?: AbortSignal | undefined;
  times?: Partial<StreamTimes & { callMs: number }> | undefined;
}

const TIMES = { callMs: 30_000, silenceMs: 40_000, firstRetryMs: 500, maxRetryMs: 30_000 };

/** The typed client of the hub, for browsers and Node. It is derived from `HUB_ROUTES`. */
export function createHubClient(options: HubClientOptions): HubClient {
  const times = { ...TIMES, ...options.times };
  const nudges = new Set<() => void>();
  const send = hubSender(options);
  let hurriedAt = -Infinity;
  /**
   * Where one stream gets through the others do too, so none of them stays behind. Not again at once: a server that takes
   * streams only to drop them would be hurried for ever.
   */
  const hurryOthers = () => {
    if (Date.now() - hurriedAt < times.firstRetryMs) return;
    hurriedAt = Date.now();
    for (const nudge of nudges) nudge();
  };

  const follow = <Message>(
    path: () => string,
    decode: (event: ServerEvent) => Message,
    receive: (message: Message) => void,
    { signal, onState }: FollowOptions,
  ) => {
    const open = (ending: AbortSignal) => openEvents(send, path(), ending);
    const tell = (state: StreamState) => {
      onState?.(state);
      if (state.type === 'live') hurryOthers();
    };
    const ending = joined(options.signal, signal);
    return followStream({ open, decode, receive, onState: tell, signal: ending, times, nudges });
  };

  const followSession: HubClient['followSession'] = (sessionId, { after = 0, onEvents, ...more }) => {
    let seq = after;
    const path = () => pathOf(HUB_ROUTES.readEvents, { sessionId, after: seq });
    const receive = (events: LoggedHubEvent[]) => {
      const news = events.filter((event) => event.seq > seq);
      if (news.length === 0) return;
      seq = news.at(-1)!.seq;
      onEvents(news);
    };
    const decode = (event: ServerEvent) => readMessage<{ events?: LoggedHubEvent[] }>(event).events ?? [];
    return follow(path, decode, receive, more);
  };

  return {
    ...(callMethods(HUB_ROUTES, { send, signal: options.signal, usualMs: times.callMs }) as unknown as HubMethods),
    followSession,
    followView(sessionId, { view, onView, ...more }) {
      let shown = view;
      const onEvents = (events: LoggedHubEvent[]) => {
        shown = foldHubEvents(events, shown);
        if (shown !== undefined) onView(shown);
      };
      return followSession(sessionId, { ...more, after: view?.seq, onEvents });
    },
    followChanges: ({ onChange, ...more }) =>
      follow(() => pathOf(HUB_ROUTES.readChanges, {}), readMessage<HubChange>, onChange, more),
    follow: <Message>(path: string, receive: (message: Message) => void, more: FollowOptions) =>
      follow(() => path, readMessage<Message>, receive, more),
    online() {
      for (const nudge of nudges) nudge();
    },
  };
}

function readMessage<Message>({ data }: ServerEvent): Message {
  try {
    return JSON.parse(data) as Message;
  } catch {
    throw new DragomanError('unavailable', 'The server sent an event that cannot be read.', { isRetryable: true });
  }
}
