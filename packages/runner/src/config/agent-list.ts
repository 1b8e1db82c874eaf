import { join } from 'node:path';
import { type AgentBackend, type AgentOffer, DragomanError, type Fault } from '@dragoman/protocol';
import { redactText } from '@dragoman/protocol/secrets';
import { Secret } from '@dragoman/server/base';
import type { AgentRegistry, AgentSetup } from '../backend/agent-registry.ts';
import { findCommand, missingProgram } from '../backend/find-command.ts';
import { hideSecrets } from '../backend/hide-secrets.ts';
import { missingInterpreter } from '../backend/missing-interpreter.ts';
import { toFault } from '../backend/to-fault.ts';
import type { AgentPreset } from '../presets/agent-preset.ts';
import type { RunnerLog } from '../runner-log.ts';
import { withinLimit } from '../time-limit.ts';
import type { AgentConfig } from './agents-config.ts';

const PROBE_MS = 5_000;

/** Where agents come from. */
export interface AgentListOptions {
  registry: AgentRegistry;
  /** The agents of the configuration as it is now. */
  configured: () => Readonly<Record<string, AgentConfig>>;
  /** Agents that need no configuration. */
  presets: readonly AgentPreset[];
  /** Where backends may keep things, each agent in a folder of its own. */
  folder: string;
  log: RunnerLog;
}

/**
 * The agents of this machine by name: those of the configuration, well-known ones that only have to be installed, and
 * kinds that need neither.
 */
export class AgentList {
  readonly #options: AgentListOptions;

  constructor(options: AgentListOptions) {
    this.#options = options;
  }

  /** A backend for a new session of the agent with this name. */
  async create(name: string): Promise<AgentBackend> {
    return this.#options.registry.create(this.setup(name));
  }

  /** How the agent with this name is set up. Throws with the names there are when there is no such agent. */
  setup(name: string): AgentSetup {
    const { registry, folder, log } = this.#options;
    const common = { name, folder: join(folder, name), log };
    const config = this.#config(name);
    if (config !== undefined) {
      const { backend: kind, title, command, env, model, mode, ...options } = config;
      return { ...common, kind, title, command, env: reveal(env), model, mode, options };
    }
    const preset = this.#preset(name);
    if (preset !== undefined)
      return { ...common, kind: preset.backend, title: preset.title, command: preset.command, env: {}, options: {} };
    if (registry.has(name)) return { ...common, kind: name, env: {}, options: {} };
    throw new DragomanError(
      'not-found',
      `there is no agent named "${name}" on this machine; there are: ${this.names().join(', ')}`,
    );
  }

  /** Every name that a session can be started with, in the order in which they are offered. */
  names(): string[] {
    const { configured, presets, registry } = this.#options;
    const known = presets.filter((preset) => registry.has(preset.backend)).map((preset) => preset.name);
    const bare = registry.kinds().filter((kind) => registry.about(kind).needsNoSetup === true);
    const names = [...new Set([...Object.keys(configured()), ...bare, ...known])];
    const isFirst = (name: string) => {
      const { kind } = this.setup(name);
      return registry.has(kind) && registry.about(kind).comesFirst === true;
    };
    return names.toSorted((one, other) => Number(isFirst(other)) - Number(isFirst(one)));
  }

  /** What is offered to people, with what is wrong where it cannot be started, as far as that is known within the time. */
  async offers(patienceMs?: number): Promise<AgentOffer[]> {
    return Promise.all(this.names().map((name) => this.#offer(name, patienceMs)));
  }

  /** A text with the names of what agents are given in their environment, in place of the values, and without other secrets. */
  hideSecrets(text: string): string {
    const agents = Object.values(this.#options.configured());
    return redactText(
      hideSecrets(
        text,
        agents.flatMap(({ env }) => Object.entries(reveal(env))),
      ),
    ).text;
  }

  async #offer(name: string, patienceMs: number | undefined): Promise<AgentOffer> {
    const setup = { ...this.setup(name), patienceMs };
    const { registry } = this.#options;
    const about = registry.has(setup.kind) ? registry.about(setup.kind) : {};
    const problem = await this.#problem(setup);
    const title = setup.title ?? (setup.kind === name ? about.title : undefined);
    return {
      name,
      backend: setup.kind,
      ...(title === undefined ? {} : { title }),
      ...(this.#config(name) === undefined && this.#preset(name) !== undefined && { isPreset: true }),
      capabilities: about.capabilities ?? {},
      ...(about.choices && { choices: about.choices }),
      ...(about.usual && { usual: about.usual(setup) }),
      ...(problem === undefined ? {} : { problem }),
    };
  }

  async #problem(setup: AgentSetup): Promise<Fault | undefined> {
    try {
      const { probe } = this.#options.registry.about(setup.kind);
      if (probe !== undefined) return await withinLimit('the check of this agent', PROBE_MS, () => probe(setup));
      return this.#missingCommand(setup);
    } catch (error) {
      return toFault(error);
    }
  }

  /** For kinds that are started with a prompt only: whether there is what would be started. */
  #missingCommand({ name, command, env }: AgentSetup): Fault | undefined {
    const [program] = command ?? [];
    if (program === undefined) return undefined;
    const place = findCommand(program, env['PATH']);
    if (place === undefined) {
      const install = this.#options.presets.find((preset) => preset.name === name)?.install;
      return {
        code: 'unavailable',
        message: missingProgram(program),
        ...(install === undefined ? {} : { fix: install }),
      };
    }
    const missing = process.platform === 'win32' ? undefined : missingInterpreter(place, env['PATH']);
    if (missing === undefined) return undefined;
    return {
      code: 'unavailable',
      message: `"${program}" does not start: its first line names "${missing}", which is not on this machine`,
    };
  }

  /** The well-known agent of that name, where its kind can be started here. */
  #preset(name: string): AgentPreset | undefined {
    const { presets, registry } = this.#options;
    return presets.find((preset) => preset.name === name && registry.has(preset.backend));
  }

  #config(name: string): AgentConfig | undefined {
    const configured = this.#options.configured();
    return Object.hasOwn(configured, name) ? configured[name] : undefined;
  }
}

function reveal(env: Readonly<Record<string, Secret | string>> = {}): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).map(([name, value]) => [name, value instanceof Secret ? value.reveal() : value]),
  );
}
