import type * as LarkSdk from '@larksuiteoapi/node-sdk';
import type { HubLog } from '../hub-log.ts';
import type { LarkSettings } from './lark-config.ts';
import { codeOf, isTokenRefused, LarkCallError } from './lark-call-error.ts';
import type { LarkState } from './lark-state.ts';
import { accepted, callError } from './read-call-error.ts';

/** One request to the open platform. */
interface LarkCall {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below `/open-apis/`. */
  path: string;
  query?: Readonly<Record<string, string>>;
  body?: Readonly<Record<string, unknown>>;
  /** Sent as a form with files. */
  form?: FormData;
  signal?: AbortSignal | undefined;
  timeoutMs?: number;
}

/** What the rest of the folder calls Lark with. */
export interface LarkApi {
  /** The answer, whose code is 0. Rejects with a `LarkCallError`. */
  call(call: LarkCall): Promise<LarkAnswer>;
  /** The bytes of an answer that is not JSON. */
  download(call: LarkCall & { maxBytes: number }): Promise<Buffer>;
  /** Asks for a new token, to see whether the app's id and secret are right. */
  renewToken(): Promise<void>;
  /** `https://open.feishu.cn`, `https://open.larksuite.com` or an address of one's own. */
  domain: string;
}

/** An answer of the open platform; what is in it differs. */
interface LarkAnswer {
  data?: Readonly<Record<string, unknown>> | null;
  bot?: Readonly<Record<string, unknown>> | null;
}

/** Nothing waits longer for an answer, unless the call says so itself (uploads and downloads). */
const ANSWER_MS = 15_000;

/**
 * Calls the open platform through the official SDK, which fetches the token of the app and keeps it.
 *
 * The SDK neither limits how long it waits nor looks at the code of an answer, and it prints requests with all that is in
 * them; all three are put right here. A token that is refused is fetched anew once.
 */
export function larkApi(
  sdk: typeof LarkSdk,
  settings: Pick<LarkSettings, 'appId' | 'appSecret' | 'domain'>,
  host: {
    log: HubLog;
    signal: AbortSignal;
    answerMs?: number | undefined;
    state?: Pick<LarkState, 'lacks' | 'may'>;
  },
): LarkApi {
  const domain = domainOf(settings.domain);
  const answerMs = host.answerMs ?? ANSWER_MS;
  const tokens = tokenCache();
  const client = new sdk.Client({
    appId: settings.appId,
    appSecret: settings.appSecret.reveal(),
    domain,
    cache: tokens,
    httpInstance: limitedHttp(sdk, { signal: host.signal, timeout: answerMs }),
    logger: SILENT,
    source: 'dragoman',
  });

  const withToken = async <Answer>(ask: () => Promise<Answer>): Promise<Answer> => {
    try {
      return await ask();
    } catch (error) {
      if (!isTokenRefused(error)) throw error;
      host.log.info({ channel: 'lark', code: codeOf(error) }, 'Lark refused the token; requesting a new one');
      tokens.forget();
      return await ask();
    }
  };

  const request = async (call: LarkCall, more: object = {}): Promise<unknown> => {
    const timeout = call.timeoutMs ?? answerMs;
    const signals = [AbortSignal.timeout(timeout), host.signal, ...(call.signal === undefined ? [] : [call.signal])];
    const options = {
      method: call.method,
      params: call.query ?? {},
      signal: AbortSignal.any(signals),
      timeout,
      ...more,
    };
    try {
      return await (call.form === undefined
        ? client.request<unknown>({ ...options, url: `/open-apis/${call.path}`, data: call.body ?? {} })
        : sendForm(client, call.path, call.form, options));
    } catch (error) {
      throw callError(error, call.path);
    }
  };

  const ask = async (call: LarkCall): Promise<LarkAnswer> => {
    try {
      const answer = await withToken(async () => accepted(await request(call), call.path));
      host.state?.may(call.path);
      return answer;
    } catch (error) {
      if (error instanceof LarkCallError && error.scopes.length > 0) host.state?.lacks(call.path, error.scopes);
      throw error;
    }
  };

  return {
    domain,
    call: ask,
    download: ({ maxBytes, ...call }) =>
      withToken(async () => {
        const bytes = await request(call, { responseType: 'arraybuffer', maxContentLength: maxBytes });
        if (!Buffer.isBuffer(bytes)) throw new LarkCallError('Lark did not return a file.');
        return bytes;
      }),
    async renewToken() {
      tokens.forget();
      try {
        await client.tokenManager.getTenantAccessToken();
      } catch (error) {
        throw callError(error);
      }
    },
  };
}

/** The SDK's own forms give a file no name, and what has no name is a field and no file. */
async function sendForm(client: LarkSdk.Client, path: string, form: FormData, options: object): Promise<unknown> {
  const token: unknown = await client.tokenManager.getTenantAccessToken();
  return await client.httpInstance.request<unknown>({
    ...options,
    url: `${client.domain}/open-apis/${path}`,
    data: form,
    headers: { Authorization: `Bearer ${String(token)}` },
  });
}

function limitedHttp(sdk: typeof LarkSdk, limits: { signal: AbortSignal; timeout: number }): LarkSdk.HttpInstance {
  const send = async <Result>(options: object): Promise<Result> =>
    (await sdk.defaultHttpInstance.request<unknown, unknown>({ ...limits, ...options })) as Result;
  return {
    request: (options) => send(options),
    get: (url, options) => send({ ...options, method: 'get', url }),
    delete: (url, options) => send({ ...options, method: 'delete', url }),
    head: (url, options) => send({ ...options, method: 'head', url }),
    options: (url, options) => send({ ...options, method: 'options', url }),
    post: (url, data, options) => send({ ...options, method: 'post', url, data }),
    put: (url, data, options) => send({ ...options, method: 'put', url, data }),
    patch: (url, data, options) => send({ ...options, method: 'patch', url, data }),
  };
}

/** The SDK writes the type of its symbols as the object. */
type SdkKey = Parameters<LarkSdk.Cache['get']>[0];

/** The SDK's own cache is one for the whole process and cannot be emptied. */
function tokenCache() {
  const values = new Map<string, { value: unknown; until: number | undefined }>();
  const keyOf = (key: SdkKey, namespace: string | undefined) => `${namespace ?? ''}/${key.toString()}`;
  return {
    async get(key: SdkKey, options?: { namespace?: string }): Promise<unknown> {
      const found = values.get(keyOf(key, options?.namespace));
      return found === undefined || (found.until !== undefined && found.until <= Date.now()) ? undefined : found.value;
    },
    async set(key: SdkKey, value: unknown, until?: number, options?: { namespace?: string }): Promise<boolean> {
      values.set(keyOf(key, options?.namespace), { value, until });
      return true;
    },
    forget(): void {
      values.clear();
    },
  };
}

function domainOf(domain: string): string {
  if (domain === 'feishu') return 'https://open.feishu.cn';
  if (domain === 'lark') return 'https://open.larksuite.com';
  return domain.replace(/\/+$/u, '');
}

const nothing = () => undefined;
/** The SDK logs whole requests and events. */
const SILENT = { error: nothing, warn: nothing, info: nothing, debug: nothing, trace: nothing };
