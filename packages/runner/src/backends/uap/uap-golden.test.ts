import {
  type BackendEvent,
  foldHubEvents,
  type HubEvent,
  type LoggedHubEvent,
  toAgentMessages,
} from '@dragoman/protocol';
import { backendEventSchema } from '@dragoman/protocol/schemas';
import { uapFixtures } from '@dragoman/testkit';
import { expect, onTestFinished, test } from 'vitest';
import { heardSession, promptOf } from '../../check/heard-session.fixture.ts';
import { stdioAgent } from './stdio-agent.fixture.ts';
import { UapBackend } from './uap-backend.ts';

const KINDS = new Set<string>(backendEventSchema.options.map(({ shape }) => shape.type.value));
const isBackendEvent = (event: HubEvent): event is BackendEvent => KINDS.has(event.type);

test.each(uapFixtures().map((fixture) => [fixture.name, fixture] as const))(
  'an agent that writes the lines of the golden session %s is shown as that session [UAP-01, UAP-18]',
  async (_name, fixture) => {
    const told = fixture.events.map(({ event }) => event).filter(isBackendEvent);
    const backend = new UapBackend(
      stdioAgent({
        start: `say({ type: 'ready', capabilities: { approvals: true } });`,
        prompt: `say(...${JSON.stringify(told)});`,
      }),
    );
    onTestFinished(() => backend.dispose());
    const session = heardSession();
    await backend.start(session);
    await backend.prompt(promptOf('?'));

    // The first thing heard is what the agent can do; questions that nobody answered here are withdrawn at the end.
    const heard = session.events.slice(1);
    const replayed = fixture.events.map((logged): LoggedHubEvent =>
      isBackendEvent(logged.event) ? { ...logged, event: heard.shift()! } : logged,
    );
    const view = foldHubEvents(replayed)!;

    expect(toAgentMessages(view)).toEqual(fixture.messages);
    expect(Object.fromEntries([...view.tools].map(([id, { status }]) => [id, status]))).toEqual(fixture.tools);
    expect(heard.filter(({ type }) => type !== 'approval-withdrawn')).toEqual([]);
  },
);
