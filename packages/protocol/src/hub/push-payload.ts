/** What a notification says to the service worker of the console, as JSON. */
export interface PushPayload {
  kind: 'approval' | 'failed' | 'finished' | 'test';
  /** Of the session, or of the program. */
  title: string;
  /** What there is to say, in the language of the subscription. */
  body: string;
  /** What a click opens, from the root of the console. */
  url: string;
  /** A notification with the same tag takes the place of the one before. */
  tag: string;
  language: 'en' | 'zh';
  sessionId?: string;
  /** The question, and the agent's own options for "no" and, where `body` says all that it would allow, "yes, once". */
  approval?: { id: string; allow?: string; reject?: string };
}
