import type * as vscode from 'vscode';

/** Settings that are seen without being written: `{ augment: { advanced: { … } } }`. */
export type OverlaidSettings = Readonly<Record<string, unknown>>;

/** Where what is overlaid comes from. */
export interface OverlaySource {
  /** What is overlaid now; nothing means that the real settings are seen. */
  read(): OverlaidSettings | undefined;
  /** Tells that it changed. */
  onDidChange: vscode.Event<void>;
  /** What went wrong in the overlay; the real thing was handed out instead. */
  onFailure(error: unknown): void;
}

/** The one setting that is, and where it stands. */
const OVERLAID = 'augment.advanced';
const [ROOT, FIELD] = ['augment', 'advanced'] as const;

type Api = typeof vscode;
type Configuration = vscode.WorkspaceConfiguration;

/**
 * The editor's API with some settings overlaid, for one other extension.
 *
 * The real objects are frozen, and a proxy that answers for a frozen property throws; so each is a new object that
 * inherits from the real one. It has every property of its own as well, because bundlers copy own properties. Whatever
 * goes wrong here leads to the real thing: an extension of somebody else never fails because of us.
 */
export function overlayApi(real: Api, source: OverlaySource): Api {
  const failOpen = <Result>(overlaid: () => Result, otherwise: () => Result): Result => {
    try {
      return overlaid();
    } catch (error) {
      source.onFailure(error);
      return otherwise();
    }
  };
  const getConfiguration: Api['workspace']['getConfiguration'] = (section, scope) => {
    const configuration = real.workspace.getConfiguration(section, scope);
    return failOpen(
      () => {
        const overlaid = isRelated(section ?? '') ? lookUp(source.read(), OVERLAID) : undefined;
        if (!isRecord(overlaid)) return configuration;
        const value = merged(userValue(real.workspace.getConfiguration(undefined, scope)), overlaid);
        return overlayConfiguration(configuration, section ?? '', { overlaid, value });
      },
      () => configuration,
    );
  };
  const onDidChangeConfiguration: Api['workspace']['onDidChangeConfiguration'] = (listener, thisArg, disposables) => {
    const heard = real.workspace.onDidChangeConfiguration(listener, thisArg);
    const own = source.onDidChange(() =>
      failOpen(
        () => void listener.call(thisArg, { affectsConfiguration: isRelated }),
        () => undefined,
      ),
    );
    const both = { dispose: () => (own.dispose(), heard.dispose()) };
    disposables?.push(both);
    return both;
  };
  return failOpen(
    () => variantOf(real, { workspace: variantOf(real.workspace, { getConfiguration, onDidChangeConfiguration }) }),
    () => real,
  );
}

/** The person's own value. What a workspace says is not in it: beside our token, nothing of a repository's is seen. */
function userValue(root: Configuration): unknown {
  const found = root.inspect(OVERLAID);
  return merged(found?.defaultValue, found?.globalValue);
}

/** A section as it is now: the editor's own objects do not change after they were handed out either. */
function overlayConfiguration(
  real: Configuration,
  section: string,
  { overlaid, value }: { overlaid: unknown; value: unknown },
): Configuration {
  const whole = (key: string) => [section, key].filter((part) => part !== '').join('.');
  /** A value of any level as it is seen with another one in the place of the setting. */
  const seen = (key: string, found: unknown, put: unknown): unknown => {
    const name = whole(key);
    if (name === ROOT) return without(found, put);
    return isAtOrBelow(name) ? lookUp({ [ROOT]: { [FIELD]: put } }, name) : found;
  };
  const inspect = (key: string) => {
    const found = real.inspect(key);
    if (!isRelated(whole(key))) return found;
    const levels = Object.entries(found ?? {}).filter(([level]) => WORKSPACE.test(level));
    return {
      ...(found ?? { key: whole(key) }),
      globalValue: seen(key, found?.globalValue, value),
      ...Object.fromEntries(levels.map(([level, each]) => [level, seen(key, each, undefined)])),
    };
  };
  const shown = Object.keys(real).filter((key) => typeof read(real, key) !== 'function');
  const below = section === OVERLAID && isRecord(value) ? Object.keys(value) : [];
  const above = section === '' ? [ROOT] : section === ROOT ? [FIELD] : [];
  const names = new Set([...shown, ...below, ...above].filter((key) => isRelated(whole(key))));
  const changes = {
    ...Object.fromEntries(Array.from(names, (key) => [key, seen(key, read(real, key), value)])),
    get: (key: string, otherwise?: unknown) => {
      const found = seen(key, real.get(key), value);
      return found === undefined ? otherwise : found;
    },
    has: (key: string) => (isRelated(whole(key)) ? seen(key, real.get(key), value) !== undefined : real.has(key)),
    inspect,
    // What is only seen is never written: a value that was read, changed and saved has ours taken out again.
    update: (key: string, given: unknown, target?: unknown, ...more: []) => {
      const before: unknown = read(real.inspect(key) ?? {}, LEVELS.get(target) ?? 'workspaceValue');
      return real.update(key, asReally(given, seen(key, undefined, overlaid), before), target as boolean, ...more);
    },
  };
  return variantOf(real, changes as unknown as Partial<Configuration>);
}

/** The levels that belong to a repository. */
const WORKSPACE = /^workspace/;
/** The level that a target of writing stands for. */
const LEVELS = new Map<unknown, string>([
  [true, 'globalValue'],
  [1, 'globalValue'],
  [3, 'workspaceFolderValue'],
]);

/** The settings of the extension with another value in the place of the one, or with none. */
function without(found: unknown, put: unknown): unknown {
  if (put !== undefined) return { ...(isRecord(found) ? found : {}), [FIELD]: put };
  if (!isRecord(found)) return found;
  const { [FIELD]: _gone, ...others } = found;
  return others;
}

/** A new object that inherits from the real one and differs from it in some properties. */
function variantOf<Real extends object>(real: Real, changes: Partial<Real>): Real {
  const properties: PropertyDescriptorMap = {};
  for (const key of Reflect.ownKeys(real)) {
    const enumerable = Object.getOwnPropertyDescriptor(real, key)?.enumerable ?? true;
    properties[key as string] = { enumerable, configurable: true, get: () => read(real, key) };
  }
  for (const key of Reflect.ownKeys(changes))
    properties[key as string] = { enumerable: true, configurable: true, value: read(changes, key) };
  return Object.create(real, properties) as Real;
}

/** The value under a dotted name. */
function lookUp(overlaid: OverlaidSettings | undefined, name: string): unknown {
  let value: unknown = overlaid;
  for (const step of name.split('.')) value = isRecord(value) && Object.hasOwn(value, step) ? value[step] : undefined;
  return value;
}

function isRelated(section: string): boolean {
  return section === '' || OVERLAID.startsWith(`${section}.`) || isAtOrBelow(section);
}

function isAtOrBelow(section: string): boolean {
  return section === OVERLAID || section.startsWith(`${OVERLAID}.`);
}

/** The overlaid fields over the real ones, all the way down. */
function merged(real: unknown, overlaid: unknown): unknown {
  if (overlaid === undefined) return real;
  if (!isRecord(overlaid)) return overlaid;
  const fields = Object.entries(overlaid).map(([name, value]) => [
    name,
    merged(isRecord(real) ? real[name] : undefined, value),
  ]);
  return { ...(isRecord(real) ? real : {}), ...(Object.fromEntries(fields) as object) };
}

/** A value to be written, with overlaid fields as they really are. */
function asReally(value: unknown, overlaid: unknown, real: unknown): unknown {
  if (overlaid === undefined) return value;
  if (!isRecord(overlaid) || !isRecord(value)) return value === overlaid ? real : value;
  const kept: Record<string, unknown> = { ...value };
  for (const [name, over] of Object.entries(overlaid)) {
    if (!Object.hasOwn(kept, name)) continue;
    const written = asReally(kept[name], over, isRecord(real) ? real[name] : undefined);
    if (written === undefined) delete kept[name];
    else kept[name] = written;
  }
  return kept;
}

function read(from: object, key: PropertyKey): unknown {
  return Reflect.get(from, key) as unknown;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
