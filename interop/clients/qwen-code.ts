import type { Client } from './run-client.ts';

/** Qwen Code, which speaks two of our dialects. */
export function qwenCode(dialect: 'openai' | 'anthropic'): Client {
  return {
    packages: { '@qwen-code/qwen-code': '0.24.4' },
    command: ({ url, token, prompt }) => ({
      program: 'qwen',
      args: ['--yolo', '--auth-type', dialect, '-m', 'default', '-p', prompt],
      env:
        dialect === 'openai'
          ? { OPENAI_BASE_URL: `${url}/v1`, OPENAI_API_KEY: token, OPENAI_MODEL: 'default' }
          : { ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: token, ANTHROPIC_MODEL: 'default' },
      files: {
        '.qwen/settings.json': JSON.stringify({
          privacy: { usageStatisticsEnabled: false },
          general: { enableAutoUpdate: false },
        }),
      },
    }),
  };
}
