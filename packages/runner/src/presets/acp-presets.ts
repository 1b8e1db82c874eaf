import { basename } from 'node:path';
import type { AgentPreset } from './agent-preset.ts';

/**
 * Agents that speak the Agent Client Protocol, and how they are started, installed and logged in to. `claude` and `codex`
 * have backends of their own; here they are by way of their adapters.
 */
export const ACP_PRESETS: readonly AgentPreset[] = [
  acp('opencode', 'OpenCode', ['opencode', 'acp'], npm('opencode-ai'), '`opencode auth login`'),
  {
    ...acp(
      'gemini',
      'Gemini CLI',
      ['gemini', '--acp'],
      npm('@google/gemini-cli'),
      '`gemini`, and choose how to sign in; or set GEMINI_API_KEY in the environment of the runner',
    ),
    hasTellingTitles: true,
  },
  acp(
    'claude-acp',
    'Claude Code (ACP)',
    ['claude-agent-acp'],
    npm('@agentclientprotocol/claude-agent-acp'),
    '`claude`, and type /login; or set ANTHROPIC_API_KEY in the environment of the runner',
  ),
  acp(
    'codex-acp',
    'Codex (ACP)',
    ['codex-acp'],
    npm('@agentclientprotocol/codex-acp'),
    '`codex login`; or set CODEX_API_KEY or OPENAI_API_KEY in the environment of the runner',
  ),
  acp(
    'copilot',
    'GitHub Copilot',
    ['copilot', '--acp', '--stdio'],
    npm('@github/copilot'),
    '`copilot`, and type /login',
  ),
  acp(
    'qwen',
    'Qwen Code',
    ['qwen', '--acp'],
    npm('@qwen-code/qwen-code'),
    '`qwen`, and choose how to sign in; or set OPENAI_API_KEY in the environment of the runner',
  ),
  acp('qoder', 'Qoder', ['qodercli', '--acp'], npm('@qoder-ai/qodercli'), '`qodercli`, and type /login'),
  acp('pi', 'Pi', ['pi-acp'], `${npm('pi-acp')} (it needs the pi command too)`, '`pi`, and type /login'),
  acp('cline', 'Cline', ['cline', '--acp'], npm('cline'), '`cline auth`'),
  acp('kimi', 'Kimi Code', ['kimi', 'acp'], 'uv tool install kimi-cli', '`kimi login`'),
  acp('goose', 'Goose', ['goose', 'acp'], 'see https://block.github.io/goose', '`goose configure`'),
  acp(
    'cursor',
    'Cursor',
    ['cursor-agent', 'acp'],
    'see https://cursor.com/cli',
    '`cursor-agent login`; or set CURSOR_API_KEY in the environment of the runner',
  ),
  acp(
    'grok',
    'Grok Build',
    ['grok', 'agent', 'stdio'],
    'see https://x.ai/cli',
    '`grok`, and sign in; or set XAI_API_KEY in the environment of the runner',
    ['cached_token', 'xai.api_key'],
  ),
  acp('auggie', 'Auggie', ['auggie', '--acp'], npm('@augmentcode/auggie'), '`auggie login`'),
];

/** The preset for an agent: by its command where one is configured, else by its name. */
export function findAcpPreset(name: string, command?: readonly string[]): AgentPreset | undefined {
  if (command === undefined) return ACP_PRESETS.find((preset) => preset.name === name);
  const program = basename(command[0] ?? '').replace(/\.(cmd|exe)$/i, '');
  return ACP_PRESETS.find((preset) => preset.command[0] === program);
}

function acp(
  name: string,
  title: string,
  command: readonly string[],
  install: string,
  login: string,
  authMethods?: readonly string[],
): AgentPreset {
  return {
    name,
    title,
    backend: 'acp',
    command,
    install,
    login,
    ...(authMethods === undefined ? {} : { authMethods }),
  };
}

function npm(name: string): string {
  return `npm install -g ${name}`;
}
