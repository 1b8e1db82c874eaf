'use strict';

const { appendFileSync } = require('node:fs');
const { inspect } = require('node:util');
const vscode = require('vscode');

/**
 * Reads `augment.advanced` the way the Augment extension is known to: at start, and again whenever the setting is said to
 * have changed. `_getRawSettings` is the one place where it looks.
 */
class ConfigListener {
  constructor(onChange) {
    this.listening = vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration('augment')) onChange(this.settings());
    });
  }

  _getRawSettings() {
    return vscode.workspace.getConfiguration('augment');
  }

  /** As it will be used: the token is put into upper case, which is why ours has no lower-case letter. */
  settings() {
    const raw = this._getRawSettings();
    const { apiToken = '', completionURL = '', chat = {} } = raw.get('advanced') ?? {};
    const settings = { apiToken: apiToken.trim().toUpperCase(), completionURL: completionURL.trim() };
    return typeof chat.url === 'string' ? { ...settings, chatURL: chat.url.trim() } : settings;
  }
}

/** What it sees and hears goes into a file that the test names, one line each. */
function report(kind, content) {
  const file = process.env['STAND_IN_AUGMENT_REPORT'];
  if (file !== undefined) appendFileSync(file, `${JSON.stringify({ kind, ...content })}\n`);
}

exports.activate = (context) => {
  const listener = new ConfigListener((settings) => report('changed', { settings }));
  const output = vscode.window.createOutputChannel('Stand-in for Augment');
  report('activated', { settings: listener.settings(), ways: waysOfReading(), globals: visibleGlobals() });

  const askEverything = async () => {
    const settings = listener.settings();
    const answers = {};
    for (const [name, body] of Object.entries(CALLS)) answers[name] = await call(settings, name.split(' ')[0], body);
    report('asked', { settings, answers, globals: visibleGlobals() });
    for (const [path, { status, text }] of Object.entries(answers)) output.appendLine(`${path} ${status}\n${text}\n`);
    output.show();
  };
  context.subscriptions.push(
    output,
    listener.listening,
    vscode.commands.registerCommand('standInAugment.askEverything', askEverything),
  );
};

/** The same two values, read in each way an extension can. */
function waysOfReading() {
  return {
    property: vscode.workspace.getConfiguration('augment').advanced,
    dotted: vscode.workspace.getConfiguration('augment').get('advanced.completionURL'),
    section: vscode.workspace.getConfiguration('augment.advanced').get('completionURL'),
    root: vscode.workspace.getConfiguration().get('augment.advanced'),
  };
}

/** What any extension of this host can read from the globals, keys and depths included. */
function visibleGlobals() {
  const names = Object.getOwnPropertyNames(globalThis).filter((name) => name.startsWith('__AUGMENT_BYOK_'));
  return Object.fromEntries(
    names.map((name) => [name, inspect(globalThis[name], { depth: 8, showHidden: true, getters: true })]),
  );
}

const FILE = {
  path: 'src/prices.ts',
  lang: 'typescript',
  blobs: { checkpoint_id: null, added_blobs: [], deleted_blobs: [] },
};

/** What stands for its features; behind the path, which of them. */
const CALLS = {
  '/get-models': {},
  '/chat-stream': { message: 'Where is the discount applied?', chat_history: [], mode: 'CHAT', ...FILE },
  '/chat-stream as agent': {
    message: 'Where is the discount applied?',
    chat_history: [],
    mode: 'AGENT',
    tool_definitions: [
      {
        name: 'codebase-retrieval',
        description: 'Finds code by describing it.',
        input_schema_json: JSON.stringify({
          type: 'object',
          properties: { information_request: { type: 'string' } },
          required: ['information_request'],
        }),
        tool_safety: 1,
      },
    ],
    ...FILE,
  },
  '/completion': { prompt: 'const total = ', suffix: ';\n', ...FILE },
  '/edit': {
    instruction: 'Rename a to b.',
    prefix: '',
    selected_text: 'const a = 1;\n',
    suffix: '',
    ...FILE,
  },
};

/** The chat may have an address of its own, which is asked with the same token. */
async function call({ apiToken, completionURL, chatURL }, path, body) {
  const base = (path.startsWith('/chat') ? chatURL : undefined) ?? completionURL;
  try {
    const answer = await fetch(new URL(path.slice(1), base.endsWith('/') ? base : `${base}/`), {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${apiToken}` },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(90_000),
    });
    return { status: answer.status, text: await answer.text() };
  } catch (error) {
    return { status: 0, text: String(error) };
  }
}
