import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { type FakeProvider, startFakeProvider } from '@dragoman/testkit';
import {
  approvalOf,
  calls,
  type HubServer,
  projectWith,
  says,
  scripted,
  serveHub,
  turnsOver,
  viewUntil,
} from './hub.fixture.ts';

const SHOP = {
  'README.md': '# Shop\n\nOrders, prices and mail.\n',
  'src/orders/place-order.ts': `import { priceOf } from '../prices/price-of.ts';
import { sendMail } from '../mail/send-mail.ts';

/** Places an order and tells the customer. */
export async function placeOrder(order: Order): Promise<Receipt> {
  const total = order.lines.reduce((sum, line) => sum + priceOf(line), 0);
  await sendMail(order.customer, total);
  return { total };
}
`,
  'src/prices/price-of.ts': `/** What a line of an order costs, with the discount of its customer. */
export function priceOf(line: Line): number {
  return line.count * line.price * (1 - line.discount);
}
`,
  'src/mail/send-mail.ts': `/** How often a mail that could not be sent is tried again. */
export const MAX_RETRIES = 3;

export async function sendMail(to: string, total: number): Promise<void> {
  for (let attempt = 0; attempt <= MAX_RETRIES; attempt++) {
    if (await post(to, total)) return;
  }
}
`,
  'src/colours.ts': "export const BUTTON_COLOUR = 'blue';\n",
  '.gitignore': 'node_modules/\ndist/\n',
  'node_modules/left-pad/index.js': 'module.exports = 1;\n',
};

const ANSWER = `The discount is applied **per line**, so a rounded total can differ from the sum of rounded lines.

1. \`priceOf\` multiplies before it rounds, in \`src/prices/price-of.ts:2\`.
2. \`placeOrder\` adds up what it gets.

| line | price | discount | cost |
| --- | ---: | ---: | ---: |
| tea | 4.00 | 10 % | 3.60 |
| cup | 12.50 | 0 % | 12.50 |

\`\`\`ts
const total = order.lines.reduce((sum, line) => sum + priceOf(line), 0);
\`\`\`

I changed it to work in whole cents, and the tests pass.`;

/** A server in the middle of a working day: something waits, something failed, something runs, something is done. */
export interface Demo extends HubServer {
  folder: string;
  sessions: { waiting: string; done: string; failed: string; running: string };
  provider: FakeProvider;
}

/** Starts it. The running session runs until the test ends. */
export async function serveDemo(env: Record<string, string> = {}): Promise<Demo> {
  const provider = await startFakeProvider();
  const server = await serveHub({ ...scripted(provider.url), mcp: {}, runner: { isShared: true } }, { env });
  const { owner } = server;
  const folder = join(
    projectWith(Object.fromEntries(Object.entries(SHOP).map(([path, text]) => [`shop/${path}`, text]))),
    'shop',
  );
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@shop.test', ...args], { cwd: folder });
  git('init', '-q', '-b', 'main');
  git('add', '.');
  git('commit', '-qm', 'A shop');
  await owner.listRunners();
  const start = (text: string, title: string) =>
    owner.createSession({ agent: 'native', folder, title, prompt: { text, channel: 'web' } });

  provider.answer(
    calls('read', { filePath: 'src/prices/price-of.ts' }, 'call_1'),
    calls(
      'edit',
      {
        filePath: 'src/prices/price-of.ts',
        oldString: 'return line.count * line.price * (1 - line.discount);',
        newString: 'return Math.round(line.count * line.price * (1 - line.discount) * 100) / 100;',
      },
      'call_2',
    ),
    says(...ANSWER.split(/(?<=\n)/)),
  );
  const done = await start('Why do totals differ by a cent? Please mend it.', 'Totals differ by a cent');
  const doneId = done.id;
  for (let view = await firstStop(); view === 'asked'; view = await firstStop()) {
    const asked = await approvalOf(owner, doneId);
    await owner.decideApproval({ sessionId: doneId, approvalId: asked.id, optionId: 'once', channel: 'web' });
  }
  async function firstStop(): Promise<'asked' | 'over'> {
    const view = await viewUntil(
      owner,
      doneId,
      ({ approvals, turn }) => turn?.finishedAt !== undefined || approvals.some(({ decided }) => decided === undefined),
    );
    return view.turn?.finishedAt === undefined ? 'asked' : 'over';
  }

  provider.answer({
    status: 401,
    body: JSON.stringify({ error: { message: 'Incorrect API key provided', type: 'invalid_request_error' } }),
  });
  const failed = await start('Write release notes for the last ten commits.', 'Release notes');
  await turnsOver(owner, failed.id);

  provider.answer(calls('bash', { command: 'npm test -- --run src/prices' }, 'call_9'), says('All tests pass.'));
  const waiting = await start('Run the tests of the prices.', 'Run the tests of the prices');
  await approvalOf(owner, waiting.id);

  provider.answer(says('I am reading the orders first', new Promise(() => {})));
  const running = await start('Explain how an order travels through the code.', 'How an order travels');
  await viewUntil(owner, running.id, ({ messages }) => messages.length > 1);

  return {
    ...server,
    folder,
    provider,
    sessions: { waiting: waiting.id, done: doneId, failed: failed.id, running: running.id },
  };
}
