import type { DragomanError, ModelPrice } from '@dragoman/protocol';
import { createModel, findPrice, type FoundPrice, listModelNames, resolveRoute, targetName } from '@dragoman/gateway';
import { formatTable } from '../format-table.ts';
import { type CommonOptions, findPlaces } from '../load-setup.ts';
import { loadConfig } from '@dragoman/server/base';
import { print, printJson } from '../terminal/print.ts';

/** What a test asks: little, and easy to answer. */
const QUESTION = 'Answer with the one word: ready';
const TEST_LIMIT_MS = 60_000;

interface Listed {
  name: string;
  targets: string[];
  test?: { isWell: boolean; ms: number; says: string };
}

/** A target with what it costs; null where nobody knows. */
interface Priced {
  name: string;
  target: string;
  price: ModelPrice | null;
  from: FoundPrice['from'] | 'unknown';
  asOf?: string;
  source?: string;
}

/** Lists what clients can ask for; with `--test` each is asked once, for real; with `--prices` what each costs. */
export async function models(
  names: string[],
  options: CommonOptions & { test?: boolean; prices?: boolean; json?: boolean },
): Promise<void> {
  const config = loadConfig(findPlaces(options).source).value;
  const known = listModelNames(config);
  const wanted = names.length === 0 ? known : names;
  if (options.prices === true) {
    const priced = wanted.flatMap((name) => priceRoute(name, config));
    if (options.json === true) printJson(priced, 2);
    else print(toPriceTable(priced));
    return;
  }
  const listed: Listed[] = [];
  for (const name of wanted) {
    const { targets } = resolveRoute(name, config);
    const row: Listed = { name, targets: targets.map(targetName) };
    if (options.test === true) row.test = await ask(name, config);
    listed.push(row);
  }
  if (options.json === true) printJson(listed, 2);
  else print(toTable(listed, options.test === true));
  if (listed.some(({ test }) => test?.isWell === false)) process.exitCode = 1;
}

function priceRoute(name: string, config: Parameters<typeof resolveRoute>[1]): Priced[] {
  return resolveRoute(name, config).targets.map((target) => {
    const found = findPrice(target);
    const row = { name, target: targetName(target) };
    if (found === undefined) return { ...row, price: null, from: 'unknown' };
    const { price, ...origin } = found;
    return { ...row, price, ...origin };
  });
}

function toPriceTable(priced: readonly Priced[]): string {
  const rows = priced.flatMap(({ name, target, price, from, asOf, source }) => {
    const [served, origin] = [name === target ? '' : target, asOf === undefined ? from : `built in, ${asOf}`];
    if (price === null) return [[name, served, 'unknown', '', '', '', from]];
    const steps = [{ above: undefined, ...price }, ...(price.tiers ?? [])];
    return steps.map(({ above, input, output, cacheRead, cacheWrite }, index) => [
      index === 0 ? name : `  over ${above} tokens`,
      index === 0 ? served : '',
      ...[input, output, cacheRead, cacheWrite].map((dollars) => (dollars === undefined ? '' : `${dollars}`)),
      index === 0 ? [origin, source].filter((part) => part !== undefined).join(', ') : '',
    ]);
  });
  const table = formatTable(['model', 'served by', 'input', 'output', 'cache read', 'cache write', 'source'], rows);
  return `${table}\n\nUS dollars per million tokens. To change prices, set providers.NAME.prices in dragoman.json.`;
}

async function ask(name: string, config: Parameters<typeof createModel>[1]): Promise<NonNullable<Listed['test']>> {
  const started = performance.now();
  let text = '';
  let error: DragomanError | undefined;
  await createModel(name, config).stream(
    { prompt: [{ role: 'user', content: [{ type: 'text', text: QUESTION }] }], tools: [], maxOutputTokens: 500 },
    {
      push(event) {
        if (event.type === 'text-delta') text += event.delta;
        if (event.type === 'error') error = event.error;
      },
    },
    AbortSignal.timeout(TEST_LIMIT_MS),
  );
  const says = error === undefined ? text.trim().replace(/\s+/g, ' ').slice(0, 60) : error.message;
  return { isWell: error === undefined, ms: Math.round(performance.now() - started), says };
}

function toTable(listed: readonly Listed[], isTested: boolean): string {
  if (!isTested)
    return formatTable(
      ['model', 'served by'],
      listed.map(({ name, targets }) => [name, targets.join(', then ')]),
    );
  return formatTable(
    ['model', 'served by', 'test', 'time', 'says'],
    listed.map(({ name, targets, test }) => [
      name,
      targets.join(', then '),
      test!.isWell ? 'ok' : 'FAILED',
      `${test!.ms} ms`,
      test!.says,
    ]),
  );
}
