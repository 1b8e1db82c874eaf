import { resolve } from 'node:path';
import type { Fault } from '@dragoman/protocol';
import { START_PROBLEMS } from '@dragoman/server/base';
import type { McpServerConfig } from '../mcp/mcp-config.ts';
import type { McpStatus } from '../mcp/mcp-status.ts';
import { mcpTarget } from '../mcp/mcp-target.ts';

/** The server that has a problem. */
export interface TroubledServer {
  settings: McpServerConfig;
  status: McpStatus;
  /** Where it is started when it names no folder. */
  cwd: string;
}

/** What is wrong with a server and what a person can do; nothing while all is well. */
export function mcpProblem({ settings, status, cwd }: TroubledServer): Fault | undefined {
  if (status.state === 'needs-login')
    return {
      code: 'needs-login',
      message: 'The server asks a person to log in.',
      fix:
        status.url === undefined
          ? 'Save it; where to log in is then told beside the server.'
          : `Open this address in a browser on the machine that the server runs on: ${status.url}`,
    };
  if (status.state !== 'failed') return undefined;
  const { shown, hide } = mcpTarget(settings);
  const { code, fix } = 'command' in settings ? ofProgram(settings, status.reason, cwd, shown) : ofAddress(status);
  return { code, message: sentence(hide(status.reason)), fix: hide(fix) };
}

type Advice = Required<Pick<Fault, 'code'>> & { fix: string };

/** The reasons are our own words, of `stdio-transport.ts` and `mcp-connection.ts`; behind them stands what others said. */
function ofProgram(
  settings: Extract<McpServerConfig, { command: unknown }>,
  reason: string,
  cwd: string,
  shown: string,
): Advice {
  const [program = ''] = settings.command;
  if (reason.startsWith('the server cannot be started with'))
    return ofStart(program, reason, resolve(cwd, settings.cwd ?? '.'));
  if (/^the server (?:exited with code|was ended by)/.test(reason))
    return {
      code: 'exited',
      fix: `Run it in a terminal to see what it needs: ${shown}. Variables it needs go into "env".`,
    };
  if (isLate(reason))
    return {
      code: 'timed-out',
      fix: 'See that the command speaks MCP over its standard input and output. One that is downloaded first (npx, uvx) may need to be run once before.',
    };
  return { code: 'failed', fix: 'See that the command speaks MCP over its standard input and output.' };
}

function ofStart(program: string, reason: string, folder: string): Advice {
  const is = (problem: keyof typeof START_PROBLEMS) => reason.endsWith(START_PROBLEMS[problem]);
  if (is('folder-missing'))
    return { code: 'folder-not-found', fix: `${folder} is not a folder; name another one in "cwd".` };
  if (is('folder-closed'))
    return { code: 'failed', fix: `See that ${folder} may be entered, or name another folder in "cwd".` };
  if (is('not-executable'))
    return { code: 'not-executable', fix: `See that ${program} may be run: chmod +x ${program}` };
  if (is('interpreter-missing'))
    return { code: 'failed', fix: `See that the program in the first line of ${program} is installed.` };
  if (is('program-missing'))
    return {
      code: 'command-not-found',
      fix: `"${program}" was not found. Install it, or name it in "command" by its whole path.`,
    };
  return { code: 'failed', fix: `See that ${program} can be run in a terminal.` };
}

function ofAddress({ reason }: Extract<McpStatus, { state: 'failed' }>): Advice {
  if (isLate(reason)) return { code: 'timed-out', fix: 'See that the address is right and can be reached from here.' };
  if (/^HTTP 40[13]:/.test(reason))
    return { code: 'refused', fix: 'See that the key in "headers" is right and may be used for this server.' };
  if (reason.startsWith('it cannot be reached'))
    return { code: 'unreachable', fix: 'See that the address is right and that the server runs.' };
  return { code: 'failed', fix: 'See that the address is that of an MCP server, as in "https://example.com/mcp".' };
}

function isLate(reason: string): boolean {
  return reason.startsWith('it was not connected within');
}

function sentence(text: string): string {
  const whole = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?…]$/.test(whole) ? whole : `${whole}.`;
}
