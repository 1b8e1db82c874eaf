import {
  compilePermissions,
  type CompiledPermissions,
  PERMISSION_LAYERS,
  type PermissionAction,
  type PermissionRule,
  type PermissionSubject,
  rulesFromConfig,
} from '@dragoman/protocol';
import type { AgentDefinition } from '../agents/agent-definition.ts';
import type { ApprovalStore } from '../permissions/approval-store.ts';
import { defaultRules } from '../permissions/default-rules.ts';
import type { WorkplaceOptions } from './workplace.ts';

/** Where the rules of a workplace come from. */
export interface AgentPermissionsOptions extends Pick<WorkplaceOptions, 'root' | 'home' | 'config'> {
  approvals: Pick<ApprovalStore, 'rules'>;
  /** All that there are at the workplace. */
  agents: () => readonly AgentDefinition[];
}

/**
 * What each agent may do at a workplace: by the defaults, what the person configured, what the agent's file says, and
 * what was approved for good. They are compiled anew when one of these has changed.
 */
export class AgentPermissions {
  readonly #options: AgentPermissionsOptions;
  readonly #compiled = new Map<string, { version: string; permissions: CompiledPermissions }>();

  constructor(options: AgentPermissionsOptions) {
    this.#options = options;
  }

  async of(agent: AgentDefinition): Promise<CompiledPermissions> {
    const { root, home, config, approvals } = this.#options;
    const approved = await approvals.rules(root);
    const configured = config().permissions ?? {};
    const version = JSON.stringify([approved, configured]);
    const known = this.#compiled.get(agent.name);
    if (known?.version === version) return known.permissions;
    const user = rulesFromConfig(configured, 'dragoman.json', PERMISSION_LAYERS.user);
    const rules = [...defaultRules(), ...this.#strangers(), ...user, ...agent.permissions, ...approved];
    const permissions = compilePermissions(rules, { home });
    this.#compiled.set(agent.name, { version, permissions });
    return permissions;
  }

  /** Who hands work to whom is allowed, but nobody chose what a stranger wrote. */
  #strangers(): PermissionRule[] {
    const strangers = this.#options.agents().filter(({ isStrange }) => isStrange === true);
    return strangers.map(({ name }) => ({
      tool: 'task',
      pattern: name,
      action: 'ask',
      kind: 'name',
      origin: 'the project that brings this agent along is not trusted',
      layer: PERMISSION_LAYERS.defaults,
    }));
  }

  /** Whether an agent that is at work may read something; by the rules its last call was decided by. */
  readAction(agentName: string, subjects: readonly PermissionSubject[]): PermissionAction {
    return this.#compiled.get(agentName)?.permissions.decide({ tool: 'read', subjects }).action ?? 'ask';
  }
}
