import { readdirSync, readFileSync } from 'node:fs';
import type { AgentMessage, CallStatus, ContentBlockOf, LoggedHubEvent, SessionView } from '@dragoman/protocol';

/** Messages and calls at some point of a session. */
export interface UapMoment {
  messages: AgentMessage[];
  /** How each call stands, by its id. */
  tools: Record<string, CallStatus>;
}

/** A session as events in, and as what every screen must have shown in the end. */
export interface UapFixture extends UapMoment {
  name: string;
  /** What it is about, in a sentence. */
  title: string;
  events: LoggedHubEvent[];
  /** What there was after the event with that number. */
  moments?: (UapMoment & { seq: number })[];
  plan?: ContentBlockOf<'plan'>;
  usage?: SessionView['usage'];
}

const FOLDER = new URL('../../packages/protocol/fixtures/uap/', import.meta.url);

/** The golden sessions of the Universal Agent Protocol, which every backend and every channel is tested against. */
export function uapFixtures(): UapFixture[] {
  return readdirSync(FOLDER)
    .filter((name) => name.endsWith('.json'))
    .toSorted()
    .map((name) => JSON.parse(readFileSync(new URL(name, FOLDER), 'utf8')) as UapFixture);
}
