import type { DragomanError, Fault } from '@dragoman/protocol';
import { maskAddresses } from '@dragoman/protocol/secrets';
import { RefusedCall } from '../policy/refused-call.ts';
import type { Target } from '../routing/target.ts';
import { withoutProviderSecrets } from '../upstreams/provider-secrets.ts';
import { ProviderRefusal } from '../upstreams/upstream-error.ts';
import { DRAFT_NAME } from './choose-target.ts';

/** What can be wrong with a provider, told apart by what a person does about it. */
export type ProblemCode =
  | 'key-missing'
  | 'key-refused'
  | 'not-found'
  | 'unreachable'
  | 'quota'
  | 'timed-out'
  | 'refused'
  | 'provider-failed'
  | 'misread'
  | 'not-offered'
  | 'unknown-name'
  | 'config-invalid'
  | 'cancelled'
  | 'internal';

/** What a provider says is shown, but not at any length. */
const MAX_MESSAGE = 600;

/** Services that say what is wrong in words only, under a status that says less. */
const ABOUT_KEY = /api.?key|authenticat|credential/i;
const ABOUT_MONEY = /quota|billing|balance|credit|payment|insufficient/i;
const ABOUT_MODEL =
  /\bmodel\b.{0,120}\b(?:not|unknown|invalid|unsupported|no such)\b|\b(?:unknown|invalid|no such)\b.{0,40}\bmodel\b/is;

/** Why a provider could not be asked, what it said of it, and what to do. Without a target nobody was asked. */
export function explainProblem(error: DragomanError, target: Target | undefined): Fault & { code: ProblemCode } {
  const code = codeOf(error, target);
  const mask = (text: string) => (target === undefined ? text : withoutProviderSecrets(text, target.provider));
  const message = error.message.replace(`The provider "${DRAFT_NAME}"`, 'The service'); // A name that nobody gave.
  return { code, message: mask(message).slice(0, MAX_MESSAGE), fix: mask(fixOf(code, error, target)) };
}

function codeOf(error: DragomanError, target: Target | undefined): ProblemCode {
  if (error instanceof RefusedCall) return error.code === 'not-found' ? 'unknown-name' : 'refused';
  if (error instanceof ProviderRefusal && error.status < 400) return 'misread'; // It leads elsewhere.
  switch (error.code) {
    case 'forbidden':
    case 'unauthenticated':
      if (ABOUT_MONEY.test(saidBy(error))) return 'quota';
      return target !== undefined && hasKey(target) ? 'key-refused' : 'key-missing';
    case 'not-found':
      return 'not-found';
    case 'rate-limited':
      return 'quota';
    case 'timed-out':
      return 'timed-out';
    case 'cancelled':
      return 'cancelled';
    case 'config-invalid':
      return 'config-invalid';
    case 'unavailable':
      return codeOfOutage(error);
    case 'internal':
      return 'internal';
    default:
      return codeOfBadRequest(error, target);
  }
}

/** It cannot be reached, has a problem of its own, or is something else than it was taken for. */
function codeOfOutage(error: DragomanError): ProblemCode {
  if (error instanceof ProviderRefusal || error.message.startsWith('The provider stopped')) return 'provider-failed';
  const code = connectionCode(error);
  if (code === undefined || code.startsWith('HPE_')) return 'misread'; // It is no HTTP.
  return code === 'UND_ERR_INVALID_ARG' ? 'config-invalid' : 'unreachable';
}

function codeOfBadRequest(error: DragomanError, target: Target | undefined): ProblemCode {
  const said = saidBy(error);
  if (error instanceof ProviderRefusal && error.status === 402) return 'quota';
  if (ABOUT_MONEY.test(said)) return 'quota';
  if (ABOUT_KEY.test(said)) return target !== undefined && hasKey(target) ? 'key-refused' : 'key-missing';
  if (error instanceof ProviderRefusal && error.status === 405) return 'not-found';
  return ABOUT_MODEL.test(said) ? 'not-found' : 'refused';
}

function fixOf(code: ProblemCode, error: DragomanError, target: Target | undefined): string {
  const base = target?.provider.baseUrl;
  const where = base === undefined ? '' : ` (${maskAddresses(base)})`;
  switch (code) {
    case 'key-missing':
      return 'This service requires an API key. Add one.';
    case 'key-refused':
      return 'The service rejected the key. Paste the whole key again, and check that it is for this service and can use this model.';
    case 'not-found':
      return `Check the model name and the base URL${where}. For many services it ends in /v1.`;
    case 'unreachable':
      return fixConnection(connectionCode(error) ?? '', where);
    case 'quota':
      return 'The account has reached its limit. Wait a moment, or check its plan and balance.';
    case 'timed-out':
      return `The service did not answer in time. Check that it is running${where} and try again. A local model may still be loading.`;
    case 'refused':
      return 'The service can be reached, but rejected the request. Choose another type or another model.';
    case 'provider-failed':
      return 'The service has a problem. Try again in a minute, or check its status page.';
    case 'misread':
      return `The server at the base URL${where} does not speak "${target?.provider.type ?? 'this protocol'}". Choose another type, or correct the URL. For many services it ends in /v1.`;
    case 'not-offered':
      return 'Enter the names of its models yourself.';
    case 'unknown-name':
      return 'Choose one of the existing names.';
    case 'config-invalid':
      return error.code === 'unavailable'
        ? 'The key or a header contains characters that cannot be sent, such as a line break. Paste it again.'
        : 'Correct this setting of the provider.';
    case 'cancelled':
      return 'Try again.';
    case 'internal':
      return 'This is an error in Dragoman. The server log may have details.';
  }
}

function fixConnection(code: string, where: string): string {
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return `The host name in the URL${where} was not found. Correct it, or check that this server can resolve host names.`;
  if (code === 'ECONNREFUSED')
    return `Nothing is listening at this URL${where}. Start the service, or correct the URL and its port.`;
  if (/CERT|SELF_SIGNED|UNABLE_TO_VERIFY/.test(code))
    return `The certificate at this URL${where} is not trusted. Correct the URL, or add the certificate with NODE_EXTRA_CA_CERTS.`;
  if (/SSL|TLS|EPROTO/.test(code))
    return `The server at this URL${where} does not support https. Use http:// or another port.`;
  return `The connection to this URL${where} failed. Check that this server can reach it; a firewall may be blocking it.`;
}

/** The words of the provider, without its name, which a person chose. */
function saidBy({ message }: DragomanError): string {
  return message.replace(/^The provider "[^"]*"/, '');
}

function hasKey({ provider }: Target): boolean {
  return provider.apiKey !== undefined || Object.keys(provider.headers).length > 0;
}

/** What the network said, such as ECONNREFUSED. */
function connectionCode({ cause }: DragomanError): string | undefined {
  const code = (cause as { code?: unknown } | undefined)?.code;
  return typeof code === 'string' ? code : undefined;
}
