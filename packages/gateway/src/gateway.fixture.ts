import { readFileSync } from 'node:fs';
import { openTestDoor, tempFolder, type TestDoor } from '@dragoman/testkit';
import type { StoreEngine, StoreLocation } from '@dragoman/server';
import { z } from 'zod';
import { gatewayConfigShape, type GatewayConfig, type UpstreamKind } from './config/gateway-config.ts';
import { type GatewayOptions, gatewayPlugin } from './gateway-plugin.ts';
import { type CallBook, openCallBook } from './metering/call-book.ts';
import { gatewayMigrations } from './metering/usage-tables.ts';

const schema = z.strictObject(gatewayConfigShape);
export type GatewayConfigInput = z.input<typeof schema>;

export interface TestGateway extends TestDoor {
  config: GatewayConfig;
  /** Where its calls are noted, and those of models that a test makes beside it. */
  book: CallBook;
}

/** A configuration with what the test sets and defaults for the rest. */
export function testConfig(input: GatewayConfigInput = {}): GatewayConfig {
  return schema.parse(input);
}

/** The gateway on a real door, as the server mounts it. */
export async function openTestGateway(
  input: GatewayConfigInput = {},
  options: Partial<GatewayOptions> = {},
  engine: StoreEngine = 'sqlite',
  location?: StoreLocation,
): Promise<TestGateway> {
  const config = testConfig(input);
  let book: CallBook | undefined;
  const door = await openTestDoor(
    {},
    (instance, { store, metrics }) => {
      book =
        options.book ??
        openCallBook({ store, folder: tempFolder(), budgetConfig: () => config.budgets, log: instance.log });
      const { usageLog } = book;
      instance.addHook('onClose', () => usageLog.close());
      return instance.register(gatewayPlugin, {
        config: () => config,
        store,
        metrics,
        ...options,
        book,
      });
    },
    [gatewayMigrations],
    engine,
    location,
  );
  return { ...door, config, book: book! };
}

/** A provider of one kind at the given address. */
export function provider(type: UpstreamKind, url: string): NonNullable<GatewayConfigInput['providers']>[string] {
  return { type, baseUrl: type === 'ollama' ? url : `${url}/v1`, apiKey: 'provider-key', models: ['*'] };
}

/** A recorded answer, as it comes over the wire of that upstream. */
export function recordedAnswer(kind: Exclude<UpstreamKind, 'offline' | 'ai-sdk'>, scenario: string): string[] {
  const text = readFileSync(
    new URL(`upstreams/${kind}/recordings/${kind}-${scenario}.chunks.txt`, import.meta.url),
    'utf8',
  );
  if (kind === 'gemini' || kind === 'ollama') return [text];
  return text
    .trimEnd()
    .split('\n')
    .map((event) =>
      kind === 'openai-chat'
        ? `data: ${event}\n\n`
        : `event: ${/"type":"([^"]+)"/.exec(event)![1]}\ndata: ${event}\n\n`,
    );
}
