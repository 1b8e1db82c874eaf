import type { ClientGuide, Connection, GuideStep } from './client-guide.ts';
import { PROGRAM_GUIDES } from './program-guides.ts';
import { inScript, inShell, inToml, pretty } from './quoting.ts';

/** Every client, tools first, then what people write themselves. */
export const CLIENT_GUIDES: readonly ClientGuide[] = [
  {
    id: 'claude-code',
    title: 'Claude Code',
    steps(connection) {
      const variables = claudeVariables(connection);
      const lines = Object.entries(variables).map(([name, value]) => `export ${name}=${inShell(value)}`);
      return [
        { note: 'shell', code: { text: [...lines, 'claude'].join('\n'), language: 'bash' } },
        { note: 'orSettings', file: '~/.claude/settings.json', code: json({ env: variables }) },
      ];
    },
  },
  {
    id: 'codex',
    title: 'Codex',
    steps: ({ url, token, model }) => [
      {
        note: 'intoFile',
        file: '~/.codex/config.toml',
        code: {
          text: [
            `model = ${inToml(model)}`,
            'model_provider = "dragoman"',
            '',
            '[model_providers.dragoman]',
            'name = "Dragoman"',
            `base_url = ${inToml(`${url}/v1`)}`,
            'env_key = "DRAGOMAN_TOKEN"',
            'wire_api = "responses"',
          ].join('\n'),
          language: 'toml',
        },
      },
      { note: 'keyInShell', code: { text: `export DRAGOMAN_TOKEN=${inShell(token)}\ncodex`, language: 'bash' } },
    ],
  },
  {
    id: 'opencode',
    title: 'OpenCode',
    steps: ({ url, token, model }) => [
      {
        note: 'intoFile',
        file: '~/.config/opencode/opencode.json',
        code: json({
          $schema: 'https://opencode.ai/config.json',
          provider: {
            dragoman: {
              npm: '@ai-sdk/openai-compatible',
              name: 'Dragoman',
              options: { baseURL: `${url}/v1`, apiKey: token },
              models: { [model]: { name: model } },
            },
          },
          model: `dragoman/${model}`,
        }),
      },
    ],
  },
  {
    id: 'augment',
    title: 'Augment',
    tokenRole: 'member', // It uploads code and asks the index, too.
    steps: ({ url, token, model }) => [
      {
        note: 'vscodeSettings',
        file: 'settings.json',
        code: json({ 'augment.advanced': { apiToken: token, completionURL: `${url}/` } }),
      },
      {
        note: 'session',
        file: '~/.augment/session.json',
        code: json({ accessToken: token, tenantURL: `${url}/`, scopes: [] }),
      },
      {
        note: 'program',
        code: {
          text: [
            "import { AugmentLanguageModel } from '@augmentcode/auggie-sdk';",
            "import { generateText } from 'ai';",
            '',
            `const model = new AugmentLanguageModel(${inScript(model)}, {`,
            `  apiKey: ${inScript(token)},`,
            `  apiUrl: ${inScript(`${url}/`)},`,
            '});',
            `const { text } = await generateText({ model, prompt: 'Say hello.' });`,
            'console.log(text);',
          ].join('\n'),
          language: 'typescript',
        },
      },
    ],
  },
  { id: 'cursor', title: 'Cursor', steps: (connection) => [{ note: 'cursor', values: valuesOf(connection) }] },
  { id: 'cline', title: 'Cline', steps: (connection) => [{ note: 'cline', values: valuesOf(connection) }] },
  {
    id: 'continue',
    title: 'Continue',
    steps: ({ url, token, model }) => [
      {
        note: 'intoFile',
        file: '~/.continue/config.yaml',
        code: {
          text: [
            'name: Dragoman',
            'version: 0.0.1',
            'schema: v1',
            'models:',
            '  - name: Dragoman',
            '    provider: openai',
            `    model: ${JSON.stringify(model)}`,
            `    apiBase: ${JSON.stringify(`${url}/v1`)}`,
            `    apiKey: ${JSON.stringify(token)}`,
            '    roles: [chat, edit, apply]',
          ].join('\n'),
          language: 'yaml',
        },
      },
    ],
  },
  { id: 'any', title: undefined, steps: (connection) => [{ note: 'anyClient', values: valuesOf(connection) }] },
  ...PROGRAM_GUIDES,
];

function claudeVariables({ url, token, model }: Connection): Record<string, string> {
  return {
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_AUTH_TOKEN: token,
    ANTHROPIC_MODEL: model,
    ANTHROPIC_DEFAULT_HAIKU_MODEL: model, // What it asks small questions of in the background.
  };
}

function valuesOf({ url, token, model }: Connection): NonNullable<GuideStep['values']> {
  return [
    { name: 'address', text: `${url}/v1` },
    { name: 'key', text: token },
    { name: 'model', text: model },
  ];
}

function json(value: object): GuideStep['code'] & object {
  return { text: pretty(value), language: 'json' };
}
