import type { AgentRegistry } from './backend/agent-registry.ts';
import { registerAcp } from './backends/acp/register-acp.ts';
import { type ChatPorts, registerChat } from './backends/chat/register-chat.ts';
import { CLAUDE_PRESET } from './backends/claude/claude-agent.ts';
import { registerClaude } from './backends/claude/register-claude.ts';
import { CODEX_PRESET } from './backends/codex/codex-agent.ts';
import { registerCodex } from './backends/codex/register-codex.ts';
import { registerText } from './backends/text/register-text.ts';
import { registerUap } from './backends/uap/register-uap.ts';
import { ACP_PRESETS } from './presets/acp-presets.ts';
import type { AgentPreset } from './presets/agent-preset.ts';

/** Makes every kind of backend known that comes with the runner. What drives a kind is loaded with its first session. */
export function registerBackends(registry: AgentRegistry, ports: ChatPorts): void {
  registerAcp(registry);
  registerChat(registry, ports);
  registerClaude(registry);
  registerCodex(registry);
  registerText(registry);
  registerUap(registry);
}

/** Agents that need no configuration: they only have to be installed. */
export const PRESETS: readonly AgentPreset[] = [CLAUDE_PRESET, CODEX_PRESET, ...ACP_PRESETS];
