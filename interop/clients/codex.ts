import { join } from 'node:path';
import type { Client } from './run-client.ts';

/** OpenAI's Codex with its own choice of a model, or with the one that is named, and with an MCP server where one is given. */
export function codex({ model, server }: { model?: string; server?: readonly string[] } = {}): Client {
  return {
    packages: { '@openai/codex': '0.169.0' },
    command: ({ url, token, home, prompt }) => ({
      program: 'codex',
      args: ['exec', '--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox', prompt],
      env: { CODEX_HOME: join(home, '.codex'), DRAGOMAN_TOKEN: token },
      files: {
        '.codex/config.toml': [
          ...(model === undefined ? [] : [`model = "${model}"`]),
          'model_provider = "dragoman"',
          '[model_providers.dragoman]',
          'name = "Dragoman"',
          `base_url = "${url}/v1"`,
          'env_key = "DRAGOMAN_TOKEN"',
          'wire_api = "responses"',
          ...(server === undefined
            ? []
            : [
                '[mcp_servers.demo]',
                'required = true',
                'startup_timeout_sec = 60',
                `command = ${JSON.stringify(server[0])}`,
                `args = ${JSON.stringify(server.slice(1))}`,
              ]),
          '',
        ].join('\n'),
      },
    }),
  };
}
