import { webcrypto } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer as bytesOf } from 'node:stream/consumers';
import type { HubInput, PushPayload } from '@dragoman/protocol';
import { onTestFinished } from 'vitest';
import type { PushTransport } from './post-push.ts';

const { subtle } = webcrypto;
const P256 = { name: 'ECDH', namedCurve: 'P-256' };

/** The keys of a browser's subscription, for tests that never read what it is sent. */
export function newPushKeys(): { p256dh: string; auth: string } {
  return {
    p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
    auth: 'BTBZMqHH6r4Tts7J_aSIgg',
  };
}

/** What a push service was handed, read as the browser reads it. */
export interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  payload: PushPayload;
}

/** A browser at the service. */
export interface Browser {
  subscription: Pick<HubInput<'subscribePush'>, 'endpoint' | 'keys'>;
}

/** How the service answers instead of taking a message. */
export interface Refusal {
  status: number;
  headers?: Record<string, string>;
  text?: string;
}

/** A push service on this machine, with browsers that decrypt what they are sent by other means than the hub encrypts it. */
export class PushService {
  readonly url: string;
  readonly received: Received[] = [];
  /** Answers of the next requests; after them messages are taken. */
  readonly refusals: Refusal[] = [];
  requests = 0;
  readonly #browsers = new Map<string, { keys: webcrypto.CryptoKeyPair; auth: Buffer }>();

  private constructor(url: string) {
    this.url = url;
  }

  static async open(): Promise<PushService> {
    const server = createServer((request, response) => {
      void (async () => {
        const body = await bytesOf(request);
        service.requests += 1;
        const refusal = service.refusals.shift();
        if (refusal !== undefined) {
          response.writeHead(refusal.status, refusal.headers).end(refusal.text);
          return;
        }
        const path = request.url!;
        service.received.push({ path, headers: request.headers, payload: await service.#read(path, body) });
        response.writeHead(201).end();
      })();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      server.close();
      server.closeAllConnections();
    });
    const service = new PushService(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    return service;
  }

  /** Reaches this service, which the public way does not. */
  get transport(): PushTransport {
    return {
      check: () => {},
      retryMs: [0, 0],
      async post({ endpoint, headers, body }, signal) {
        const response = await fetch(endpoint, { method: 'POST', headers, body: Buffer.from(body), signal });
        const retryAfter = response.headers.get('retry-after') ?? undefined;
        return { status: response.status, retryAfter, text: await response.text() };
      },
    };
  }

  /** A browser that asks for notifications. */
  async browser(name: string): Promise<Browser> {
    const keys = await subtle.generateKey(P256, true, ['deriveBits']);
    const auth = Buffer.from(webcrypto.getRandomValues(new Uint8Array(16)));
    this.#browsers.set(`/${name}`, { keys, auth });
    const p256dh = Buffer.from(await subtle.exportKey('raw', keys.publicKey)).toString('base64url');
    return { subscription: { endpoint: `${this.url}/${name}`, keys: { p256dh, auth: auth.toString('base64url') } } };
  }

  async #read(path: string, body: Buffer): Promise<PushPayload> {
    const { keys, auth } = this.#browsers.get(path)!;
    return JSON.parse(await decryptPush(body, keys, auth)) as PushPayload;
  }
}

/** Reads a message as RFC 8291 has a browser do it, with the means of the browser. */
export async function decryptPush(body: Buffer, keys: webcrypto.CryptoKeyPair, auth: Uint8Array): Promise<string> {
  const salt = body.subarray(0, 16);
  const idLength = body[20]!;
  const senderKey = body.subarray(21, 21 + idLength);
  const sender = await subtle.importKey('raw', senderKey, P256, true, []);
  const shared = await subtle.deriveBits({ name: 'ECDH', public: sender }, keys.privateKey, 256);
  const own = Buffer.from(await subtle.exportKey('raw', keys.publicKey));
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), own, senderKey]);
  const secret = await derive(shared, auth, info, 256);
  const key = await derive(secret, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 128);
  const iv = await derive(secret, salt, Buffer.from('Content-Encoding: nonce\0'), 96);
  const aes = await subtle.importKey('raw', key, 'AES-GCM', false, ['decrypt']);
  const plain = Buffer.from(await subtle.decrypt({ name: 'AES-GCM', iv }, aes, body.subarray(21 + idLength)));
  const end = plain.lastIndexOf(2);
  return plain.subarray(0, end).toString();
}

async function derive(secret: ArrayBuffer, salt: Uint8Array, info: Uint8Array, bits: number): Promise<ArrayBuffer> {
  const key = await subtle.importKey('raw', secret, 'HKDF', false, ['deriveBits']);
  return subtle.deriveBits({ name: 'HKDF', hash: 'SHA-256', salt, info }, key, bits);
}
