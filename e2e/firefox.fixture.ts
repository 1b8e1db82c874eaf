import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findProgram } from '@dragoman/server/beside';
import { skipTest, tempFolder } from '@dragoman/testkit';
import { onTestFinished, vi } from 'vitest';

const WITHIN = { timeout: 120_000, interval: 100 };

/** It asks nobody but this machine, whatever it would like to look up when it starts. */
const PREFERENCES = {
  'network.proxy.type': 1,
  'network.proxy.http': '127.0.0.1',
  'network.proxy.http_port': 9,
  'network.proxy.ssl': '127.0.0.1',
  'network.proxy.ssl_port': 9,
  'network.proxy.no_proxies_on': '127.0.0.1',
  'intl.accept_languages': 'en-GB',
};

/** What a page in Firefox is asked; a thing on it is named by its role and its name. */
export interface FirefoxPage {
  goto: (url: string) => Promise<void>;
  click: (role: string, name: string) => Promise<void>;
  /** Clicks on a field and types into it; `\n` is the Enter key. */
  type: (role: string, name: string, text: string) => Promise<void>;
  /** Waits until the text is on the page. */
  sees: (text: string) => Promise<void>;
  path: () => Promise<string>;
}

/** Firefox as the system has it, asked by its own protocol (WebDriver BiDi); without one the test is skipped. Gives pages of one browser. */
export async function openFirefox(): Promise<{ newPage: () => Promise<FirefoxPage> }> {
  const send = await startFirefox(
    findProgram('firefox-esr') ?? findProgram('firefox') ?? skipTest('needs firefox-esr or firefox'),
  );
  return {
    async newPage() {
      const { context } = (await send('browsingContext.create', { type: 'tab' })) as { context: string };
      return pageOf(send, context);
    },
  };
}

type Send = (method: string, params: object) => Promise<unknown>;

async function startFirefox(program: string): Promise<Send> {
  const profile = tempFolder();
  const lines = Object.entries(PREFERENCES).map(([name, value]) => `user_pref("${name}", ${JSON.stringify(value)});\n`);
  writeFileSync(join(profile, 'user.js'), lines.join(''));
  const child = spawn(program, ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port', '0'], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, HOME: profile },
  });
  onTestFinished(async () => {
    if (child.exitCode === null) {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
  });
  let said = '';
  child.stderr.on('data', (piece: Buffer) => (said += piece.toString()));
  const address = await vi.waitFor(() => {
    const [, found] = /WebDriver BiDi listening on (ws:\S+)/.exec(said) ?? [];
    if (found === undefined) throw new Error(`Firefox does not listen: ${said}`);
    return found;
  }, WITHIN);
  const socket = new WebSocket(`${address}/session`);
  await once(socket, 'open');
  const send = sender(socket);
  await send('session.new', { capabilities: {} });
  return send;
}

function sender(socket: WebSocket): Send {
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  socket.addEventListener('message', ({ data }) => {
    const { id, type, result, error, message } = JSON.parse(String(data)) as {
      id: number;
      type: string;
      result: unknown;
      error: string;
      message: string;
    };
    if (type === 'error') waiting.get(id)?.reject(new Error(`${error}: ${message}`));
    else waiting.get(id)?.resolve(result);
    waiting.delete(id);
  });
  let last = 0;
  return (method, params) => {
    last += 1;
    const answer = Promise.withResolvers<unknown>();
    waiting.set(last, answer);
    socket.send(JSON.stringify({ id: last, method, params }));
    return answer.promise;
  };
}

function pageOf(send: Send, context: string): FirefoxPage {
  const evaluate = async (expression: string) => {
    const params = { expression, target: { context }, awaitPromise: true };
    const { result } = (await send('script.evaluate', params)) as { result: { value: unknown } };
    return result.value;
  };
  const find = (role: string, name: string) =>
    vi.waitFor(async () => {
      const locator = { type: 'accessibility', value: { role, name } };
      const { nodes } = (await send('browsingContext.locateNodes', { context, locator })) as { nodes: object[] };
      if (nodes.length > 0) return nodes[0];
      throw new Error(`no ${role} "${name}" on: ${String(await evaluate('document.body.innerText'))}`);
    }, WITHIN);
  const click = (role: string, name: string) =>
    vi.waitFor(async () => {
      const origin = { type: 'element', element: await find(role, name) };
      const pointer = [
        { type: 'pointerMove', x: 0, y: 0, origin },
        { type: 'pointerDown', button: 0 },
        { type: 'pointerUp', button: 0 },
      ];
      await send('input.performActions', { context, actions: [{ type: 'pointer', id: 'mouse', actions: pointer }] });
    }, WITHIN);
  return {
    click,
    goto: async (url) => void (await send('browsingContext.navigate', { context, url, wait: 'interactive' })),
    async type(role, name, text) {
      await click(role, name);
      const keys = text.split('').flatMap((char) => {
        const value = char === '\n' ? '\uE007' : char;
        return [
          { type: 'keyDown', value },
          { type: 'keyUp', value },
        ];
      });
      await send('input.performActions', { context, actions: [{ type: 'key', id: 'keys', actions: keys }] });
    },
    sees: (text) =>
      vi.waitFor(async () => {
        const shown = String(await evaluate('document.body.innerText'));
        if (!shown.includes(text)) throw new Error(`"${text}" is not on: ${shown}`);
      }, WITHIN),
    path: async () => String(await evaluate('location.pathname')),
  };
}
