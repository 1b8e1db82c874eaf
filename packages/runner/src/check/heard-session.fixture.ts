import type { AgentMessage, BackendEvent, BackendPrompt, BackendSession } from '@dragoman/protocol';
import { type HeardEvents, hearEvents, tempFolder } from '@dragoman/testkit';
import { Findings } from './check-report.ts';
import { EventJudge } from './judge-events.ts';

/** A session whose events a test can look at: as they came, and as the messages they add up to. */
export interface HeardSession extends BackendSession, HeardEvents {
  emit: BackendSession['emit'];
  /** The messages so far. */
  messages(): AgentMessage[];
  /** Rules that were broken, which is none for a good backend. */
  broken(): string[];
}

/** Opens nothing; hand it to `start()` of a backend. */
export function heardSession(cwd = tempFolder()): HeardSession {
  const heard = hearEvents();
  return {
    ...heard,
    sessionId: 'ses_1',
    cwd,
    messages: () => judged(heard.events).messages,
    broken: () => judged(heard.events).broken,
  };
}

/** A prompt of these words. */
export function promptOf(text: string, id = 'p1'): BackendPrompt {
  return { id, content: [{ type: 'text', text }] };
}

function judged(events: readonly BackendEvent[]): { messages: AgentMessage[]; broken: string[] } {
  const findings = new Findings();
  const judge = new EventJudge(findings);
  judge.beginTurn();
  for (const event of events) judge.push(event);
  const messages = judge.endTurn('turn');
  const broken = findings.rules().filter(({ status }) => status === 'failed');
  return { messages, broken: broken.flatMap(({ id, seen }) => seen.map((one) => `${id}: ${one}`)) };
}
