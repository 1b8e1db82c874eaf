import type { Client } from './run-client.ts';

/** Google's Gemini CLI. */
export const geminiCli: Client = {
  packages: { '@google/gemini-cli': '0.61.0' },
  command: ({ url, token, prompt }) => ({
    program: 'gemini',
    args: ['--skip-trust', '--yolo', '-p', prompt],
    env: { GOOGLE_GEMINI_BASE_URL: url, GEMINI_API_KEY: token },
    files: {
      '.gemini/settings.json': JSON.stringify({
        security: { auth: { selectedType: 'gemini-api-key' } },
        telemetry: { enabled: false },
        privacy: { usageStatisticsEnabled: false },
        general: { disableAutoUpdate: true },
      }),
    },
  }),
};
