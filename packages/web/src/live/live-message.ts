/** What can be followed: the lists, the requests of the gateway, or a session by its id. */
export type LiveTopic = 'lists' | 'requests' | (string & {});

/** How the connection behind a topic is doing; while it is `live` nothing is missed. */
export type LiveState = 'connecting' | 'live' | 'waiting';

/** What a page says to the holder of the streams. The login goes along, because it may be another one by now. */
export type LiveRequest =
  | { type: 'want'; id: number; topic: LiveTopic; after: number; secret: string | undefined }
  | { type: 'drop'; id: number }
  /** It is still there, and who is logged in. */
  | { type: 'here'; secret: string | undefined }
  /** The network is back. */
  | { type: 'online' }
  /** The page is hidden for good, or until it comes back and wants everything again. */
  | { type: 'bye' };

/** What the holder says to a page, of what it wanted under an id. */
export type LiveNews =
  | { type: 'state'; id: number; state: LiveState }
  /** JSON as the server wrote it; of a session, with the number of its last event. */
  | { type: 'told'; id: number; data: string; seq: number | undefined }
  /** It is no use to ask again. */
  | { type: 'over'; id: number; error: { code: string; message: string } }
  /** The page was silent for so long that it was taken for dead: it has to want everything again. */
  | { type: 'lost' };
