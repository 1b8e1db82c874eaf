import { DragomanError } from '@dragoman/protocol';
import { type Fields, fieldsIn, listIn, textIn, textsIn, toFields } from '../../backend/fields.ts';
import { JsonRpcError } from '../../backend/json-rpc.ts';
import type { AcpAgent } from './acp-agent.ts';

const AUTH_REQUIRED = -32_000;

/** Agents that do not use the code for it say it in words. */
const WANTS_LOGIN =
  /\b(auth(entication|orization)?[ _](is )?(required|needed|failed)|not (logged|signed|authenticated)|(log|sign) ?in (first|again|required|to)|please (log|sign) ?in|login required|(missing|invalid|no) (api[ _]?keys?|credentials)|api[ _]?key\b.{0,40}\b(missing|not|required|invalid)|unauthori[sz]ed|unauthenticated)\b/i;

/** Whether an agent refuses because nobody is logged in. When a session is opened the code alone tells it. */
export function wantsLogin(error: unknown, isOpening: boolean): error is JsonRpcError {
  if (!(error instanceof JsonRpcError)) return false;
  if (error.rpcCode === AUTH_REQUIRED && isOpening) return true;
  return WANTS_LOGIN.test(describeRpcError(error));
}

/** The agent wants a login, told with what to do about it. */
export class LoginWantedError extends DragomanError {
  override readonly name = 'LoginWantedError';
  /** What to do, on the machine of the agent. */
  readonly fix: string;

  constructor(agent: AcpAgent, authMethods: readonly Fields[], cause?: unknown) {
    const fix = agent.login ?? describeMethods(agent, authMethods);
    super('unauthenticated', `${agent.title} wants a login; log in on that machine with: ${fix}`, { cause });
    this.fix = fix;
  }
}

/** What the other side's error says; "Internal error" says nothing where its details do. */
export function describeRpcError(error: JsonRpcError): string {
  const data = toFields(error.data);
  const details =
    typeof error.data === 'string'
      ? error.data
      : (textIn(data, 'details') ?? textIn(data, 'message') ?? textIn(data, 'error') ?? textIn(data, 'reason'));
  if (details === undefined || details === error.message) return error.message;
  return /^internal error$/i.test(error.message) ? details : `${error.message}: ${details}`;
}

/** The way to authenticate that needs nobody: one that is configured, or one whose variables are set. */
export function quietAuthMethod(agent: AcpAgent, authMethods: readonly Fields[]): string | undefined {
  const environment = { ...process.env, ...agent.env };
  const ids = authMethods.map((method) => textIn(method, 'id'));
  return (
    agent.authMethods.find((id) => ids.includes(id)) ??
    authMethods
      .filter((method) => textIn(method, 'type') === 'env_var')
      .filter((method) => variablesOf(method).length > 0)
      .filter((method) => variablesOf(method).every((name) => (environment[name] ?? '') !== ''))
      .map((method) => textIn(method, 'id'))
      .find((id) => id !== undefined)
  );
}

function describeMethods(agent: AcpAgent, authMethods: readonly Fields[]): string {
  const ways = authMethods.flatMap((method) => describeMethod(agent, method));
  if (ways.length > 0) return [...new Set(ways)].join('; or ');
  const names = authMethods.flatMap((method) => textIn(method, 'name') ?? []);
  const program = `\`${agent.command[0]}\``;
  return names.length === 0 ? program : `${program} (it offers: ${names.join(', ')})`;
}

/** A command to run or a variable to set, where the method tells one. */
function describeMethod(agent: AcpAgent, method: Fields): string[] {
  const terminal = fieldsIn(fieldsIn(method, '_meta'), 'terminal-auth');
  const command = textIn(terminal, 'command');
  if (command !== undefined) return [asCode([command, ...textsIn(terminal, 'args')])];
  if (textIn(method, 'type') === 'terminal') {
    const variables = Object.entries(fieldsIn(method, 'env')).map(([name, value]) => `${name}=${String(value)}`);
    return [asCode([...variables, ...agent.command, ...textsIn(method, 'args')])];
  }
  const variables = variablesOf(method);
  if (variables.length > 0) return [`set ${variables.join(' and ')} in the environment of the runner`];
  const quoted = /`([^`\n]+)`/.exec(textIn(method, 'description') ?? '')?.[1];
  return quoted === undefined ? [] : [`\`${quoted}\``];
}

function variablesOf(method: Fields): string[] {
  const named = textIn(method, 'varName') ?? textIn(method, 'link');
  const listed = listIn(method, 'vars')
    .filter((each) => each['optional'] !== true)
    .flatMap((each) => textIn(each, 'name') ?? []);
  return listed.length > 0 ? listed : named !== undefined && /^[A-Z][A-Z0-9_]+$/.test(named) ? [named] : [];
}

function asCode(words: readonly string[]): string {
  return `\`${words.map((word) => (/\s/.test(word) ? JSON.stringify(word) : word)).join(' ')}\``;
}
