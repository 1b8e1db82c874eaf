import { relative } from 'node:path';
import type { Reporter, TestCase, TestModule, Vitest } from 'vitest/node';

const SLOWEST = 10;

/** Says at the end of a run which files took longest and which tests were skipped: on this machine, for want of something. */
export default class ClosingReporter implements Reporter {
  #isFiltered = false;

  onInit({ config }: Vitest): void {
    this.#isFiltered = config.testNamePattern !== undefined;
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    if (this.#isFiltered) return; // Whoever asked for some tests by name knows that others were skipped.
    const text = closingText(modules.map((module) => summary(module)));
    if (text !== '') process.stdout.write(`${text}\n`);
  }
}

/** What the closing lines say of one file. */
export interface FileSummary {
  file: string;
  /** Loading it and running its tests. */
  seconds: number;
  /** Full names of the tests that did not run, with the reason where one was given. */
  skipped: readonly string[];
}

function summary(module: TestModule): FileSummary {
  const { collectDuration, duration } = module.diagnostic();
  return {
    file: relative(process.cwd(), module.moduleId),
    seconds: (collectDuration + duration) / 1000,
    skipped: [...module.children.allTests('skipped')].map(nameAndReason),
  };
}

function nameAndReason(test: TestCase): string {
  const result = test.result();
  return result.state === 'skipped' && result.note ? `${test.fullName} (${result.note})` : test.fullName;
}

/** The closing lines; nothing where a single file ran whole. */
export function closingText(files: readonly FileSummary[]): string {
  const lines: string[] = [];
  if (files.length > 1) {
    lines.push('Slowest files:');
    for (const { file, seconds } of files.toSorted((one, other) => other.seconds - one.seconds).slice(0, SLOWEST))
      lines.push(`  ${seconds.toFixed(1).padStart(6)} s  ${file}`);
  }
  const skipped = files.filter((file) => file.skipped.length > 0);
  if (skipped.length > 0) lines.push('Skipped, because something they need is not on this machine:');
  for (const { file, skipped: names } of skipped) lines.push(`  ${file}`, ...names.map((name) => `    ${name}`));
  return lines.join('\n');
}
