import type { BackendCapabilities, BackendEvent } from '@dragoman/protocol';
import { modelName, primaryAgents } from '../acp/session-options.ts';
import type { SessionRunner } from '../session/session-runner.ts';
import type { Workplace } from '../workplace/workplace.ts';

/** How long commands are waited for; servers that take longer are asked again after the next turn. */
const COMMANDS_MS = 30_000;

/** What the news are about, and who hears them. */
export interface AgentNewsOptions {
  runner: SessionRunner;
  workplace: Workplace;
  /** The names of models that can be chosen. */
  models: () => readonly string[];
  capabilities: BackendCapabilities;
  emit: (event: BackendEvent) => void;
}

/** Tells what the agent of a session is and what can be chosen in it. */
export class AgentNews {
  readonly #options: AgentNewsOptions;
  #toldCommands = '[]';
  #isClosed = false;

  constructor(options: AgentNewsOptions) {
    this.#options = options;
  }

  /** What is known at once, and the commands when they are. */
  tell(): void {
    const { runner, workplace, models, capabilities, emit } = this.#options;
    emit({
      type: 'agent-updated',
      agentSessionId: runner.id,
      model: modelName(runner.state),
      mode: runner.state.info.agent,
      models: [...new Set([modelName(runner.state), ...models()])].map((id) => ({ id })),
      modes: primaryAgents(workplace.agents).map(({ name, description }) => ({ id: name, name, description })),
      capabilities,
    });
    void this.#tellCommandsLater();
  }

  /** The commands of MCP servers, where they are others than before. */
  tellCommands(): void {
    const { workplace, emit } = this.#options;
    if (this.#isClosed) return;
    const commands = (workplace.mcp?.listCommands() ?? []).map(({ name, description }) => ({ name, description }));
    const told = JSON.stringify(commands);
    if (told === this.#toldCommands) return;
    this.#toldCommands = told;
    emit({ type: 'agent-updated', commands });
  }

  close(): void {
    this.#isClosed = true;
  }

  async #tellCommandsLater(): Promise<void> {
    const { workplace } = this.#options;
    try {
      await workplace.mcp?.ready(COMMANDS_MS);
      this.tellCommands();
    } catch (err) {
      workplace.log.warn({ err }, 'the commands of MCP servers could not be listed');
    }
  }
}
