import { spawn } from 'node:child_process';
import type { McpAuth } from '@dragoman/agent';
import { SecretsFile } from '@dragoman/server/base';
import { printError } from './terminal/print.ts';

/** Where logins are kept, and how a person is told where to log in. */
export interface McpAuthOptions {
  secretsFile: string;
  /** To standard error: what a command prints is for whoever called it. */
  print?: (text: string) => void;
  isAtTerminal?: boolean;
  env?: NodeJS.ProcessEnv;
  platform?: NodeJS.Platform;
}

/**
 * Logins at MCP servers, kept in the file of secrets, which only its owner can read.
 *
 * The address to log in at is always printed. A browser is opened only when somebody sits at a terminal: a program in the
 * background has no business on the screen.
 */
export function mcpAuth({
  secretsFile,
  print = printError,
  isAtTerminal = process.stderr.isTTY,
  env = process.env,
  platform = process.platform,
}: McpAuthOptions): McpAuth {
  const secrets = new SecretsFile(secretsFile);
  return {
    store: {
      get: (server) => secrets.read().get(secretName(server)),
      set: (server, value) => secrets.set(secretName(server), value),
      delete: (server) => void secrets.remove(secretName(server)),
    },
    openBrowser(url) {
      print(`An MCP server asks you to log in. Open this address in a browser:\n${url}`);
      const program = isAtTerminal ? browserProgram(platform, env) : undefined;
      if (program === undefined) return;
      const child = spawn(program, [url], { stdio: 'ignore', detached: true, env });
      child.on('error', () => {}); // The address is printed.
      child.unref();
    },
  };
}

/**
 * The name a login is kept under: `mcp-login.` and the server's own, in which what names of secrets may not have is
 * written as `_` and the number of the byte.
 */
function secretName(server: string): string {
  const plain = Array.from(Buffer.from(server, 'utf8'), (byte) => {
    const letter = String.fromCharCode(byte);
    return /[A-Za-z0-9-]/.test(letter) ? letter : `_${byte.toString(16).padStart(2, '0')}`;
  });
  return `mcp-login.${plain.join('')}`;
}

/** What a secret is kept for, where it is the login at an MCP server. */
export function mcpLoginUses(secret: string): string[] {
  const [, plain] = /^mcp-login\.((?:[A-Za-z0-9-]|_[0-9a-f]{2})+)$/.exec(secret) ?? [];
  if (plain === undefined) return [];
  const bytes = plain.replaceAll(/_(..)|(.)/g, (_all, hex: string | undefined, letter: string) =>
    hex === undefined ? letter.charCodeAt(0).toString(16) : hex,
  );
  return [`the login at the MCP server ${Buffer.from(bytes, 'hex').toString('utf8')}`];
}

function browserProgram(platform: NodeJS.Platform, env: NodeJS.ProcessEnv): string | undefined {
  if (platform === 'darwin') return 'open';
  if (platform === 'win32') return undefined;
  // Without a screen it would open a browser of letters in this very terminal.
  return env['DISPLAY'] === undefined && env['WAYLAND_DISPLAY'] === undefined ? undefined : 'xdg-open';
}
