import { DragomanError } from '@dragoman/protocol';

/** Where a mistake stands: a place in a file, or the option or variable that brought it. */
export type ConfigPlace = { file: string; line: number; column: number } | { source: string };

/** A setting that stands in the database, whose text has no lines that anybody knows. */
export const SHARED_PLACE: ConfigPlace = { source: 'the settings that all servers share' };

export interface ConfigProblem {
  place: ConfigPlace;
  /** The setting, as in `server.port`; empty for the file as a whole. */
  setting: string;
  message: string;
}

/** No more mistakes than this are told at once. */
export const MOST_PROBLEMS = 100;

/** The configuration cannot be used. Carries the first mistakes that were found, in the order of the file. */
export class ConfigInvalidError extends DragomanError {
  override readonly name = 'ConfigInvalidError';
  readonly problems: readonly ConfigProblem[];

  constructor(found: readonly ConfigProblem[]) {
    const problems = found.slice(0, MOST_PROBLEMS);
    const more = found.length > MOST_PROBLEMS ? 'more than ' : '';
    const count = problems.length === 1 ? 'a mistake' : `${more}${problems.length} mistakes`;
    const isAboutOptions = problems.every(({ place }) => 'source' in place && place !== SHARED_PLACE);
    super(
      isAboutOptions ? 'bad-request' : 'config-invalid',
      [`The configuration has ${count}:`, ...problems.map((problem) => `  ${formatProblem(problem)}`)].join('\n'),
    );
    this.problems = problems;
  }
}

export function formatPlace(place: ConfigPlace): string {
  return 'file' in place ? `${place.file}:${place.line}:${place.column}` : place.source;
}

/** `["providers", "my.local", 0]` as a person would write it: `providers["my.local"][0]`. */
export function formatSetting(path: readonly PropertyKey[]): string {
  let text = '';
  for (const key of path) {
    if (typeof key === 'number') text += `[${key}]`;
    else if (/^[\w$-]+$/.test(String(key))) text += text === '' ? String(key) : `.${String(key)}`;
    else text += `[${JSON.stringify(String(key))}]`;
  }
  return text;
}

function formatProblem(problem: ConfigProblem): string {
  const setting = problem.setting === '' ? '' : `${problem.setting}: `;
  return `${formatPlace(problem.place)}  ${setting}${problem.message}`;
}
