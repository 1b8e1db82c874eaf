import type { LoggedHubEvent } from '../hub/hub-event.ts';
import type { CallStatus, SessionView } from '../hub/session-view.ts';
import type { AgentMessage } from './agent-message.ts';

declare global {
  interface ImportMeta {
    /** Of the test runner: every file that fits, read. */
    glob(pattern: string, options: { eager: true; import: 'default'; query?: '?raw' }): Record<string, unknown>;
  }
}

interface Moment {
  messages: AgentMessage[];
  tools: Record<string, CallStatus>;
}

/** The golden sessions; other packages get them from the test kit. */
export const goldenSessions = Object.values(
  import.meta.glob('../../fixtures/uap/*.json', { eager: true, import: 'default' }),
) as (Moment & {
  name: string;
  title: string;
  events: LoggedHubEvent[];
  moments?: (Moment & { seq: number })[];
  plan?: SessionView['plan'];
  usage?: SessionView['usage'];
})[];
