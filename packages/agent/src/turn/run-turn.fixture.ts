import { tempFolder } from '@dragoman/testkit';
import type { AgentModel } from '../agent-model.ts';
import type { Session } from '../session/session.ts';
import { addPrompt, testSession } from '../session/session.fixture.ts';
import { ToolRegistry } from '../tools/tool-registry.ts';
import type { Tool } from '../tools/tool.ts';
import { offerTools } from './offered-tools.ts';
import { recordTurn, type TurnResult } from './record-turn.ts';
import { runTurn, type TurnOptions } from './run-turn.ts';
import type { TurnSettings } from './turn-settings.ts';

export const testSettings: TurnSettings = {
  loop: { threshold: 3, action: 'stop' },
  budget: { steps: 100 },
  stream: { firstEventMs: 60_000, idleMs: 60_000 },
  toolMs: 60_000,
  retry: { retries: 5, firstDelayMs: 1, maxDelayMs: 4 },
  compaction: { auto: true, threshold: 1 },
};

export interface TestTurn {
  session: Session;
  registry: ToolRegistry;
  run(given?: Partial<TurnOptions>): Promise<TurnResult>;
}

/** A session with tools and a prompt, ready to run a turn. Everything is permitted. */
export async function testTurn(
  model: AgentModel,
  tools: Tool.Info[] = [],
  settings: Partial<TurnSettings> = {},
): Promise<TestTurn> {
  const session = await testSession();
  const registry = new ToolRegistry();
  for (const tool of tools) registry.register(tool);
  return {
    session,
    registry,
    run(given = {}) {
      const messageID = addPrompt(session, 'go');
      const options: TurnOptions = {
        session,
        model,
        agent: 'build',
        system: 'You are a test.',
        tools: offerTools(registry, () => true),
        permit: async () => {},
        allowLoop: async () => false,
        stepFiles: () => ({ beforeChange: async () => {}, afterStep: async () => undefined }),
        settings: { ...testSettings, ...settings },
        outputFolder: tempFolder(),
        abort: new AbortController().signal,
        messageID,
        atBoundary: () => false,
        ...given,
      };
      return recordTurn(session, messageID, () => runTurn(options));
    },
  };
}
