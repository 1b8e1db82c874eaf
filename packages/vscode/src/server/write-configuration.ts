import { randomUUID } from 'node:crypto';
import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { PROVIDER } from '../settings/server-settings.ts';

type Section = Record<string, unknown>;

/** What the settings panel decides; the rest of the file is whatever the person set in the console. */
const OWN_PROVIDERS = [PROVIDER];
const OWN_ROUTES = ['default', '*'];

/** Puts what the settings panel says into the server's configuration file. No key is in it, and yet it is for one person alone. */
export async function writeConfiguration(file: string, configuration: object): Promise<void> {
  const text = `${JSON.stringify(mergeConfiguration(await readSection(file), configuration as Section), undefined, 2)}\n`;
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  // A server that reads it at this moment gets the old one or the new one, never half of one.
  const fresh = `${file}.${randomUUID()}`;
  await writeFile(fresh, text, { mode: 0o600 });
  await chmod(fresh, 0o600);
  await rename(fresh, file);
}

/** What the panel decides is replaced, or gone where it says nothing of it; everything else stays. */
export function mergeConfiguration(kept: Section, given: Section): Section {
  const merge = (name: string, own: readonly string[]): Section => {
    const others = Object.entries(asSection(kept[name])).filter(([key]) => !own.includes(key));
    const all = { ...Object.fromEntries(others), ...asSection(given[name]) };
    return Object.keys(all).length === 0 ? {} : { [name]: all };
  };
  const { providers: _providers, routes: _routes, augment: _augment, ...rest } = kept;
  return { ...rest, ...given, ...merge('providers', OWN_PROVIDERS), ...merge('routes', OWN_ROUTES) };
}

/** A file that cannot be read as what we wrote is replaced. */
async function readSection(file: string): Promise<Section> {
  try {
    return asSection(JSON.parse(await readFile(file, 'utf8')));
  } catch {
    return {};
  }
}

function asSection(value: unknown): Section {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Section) : {};
}
