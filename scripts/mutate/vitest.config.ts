import { readFileSync, writeFileSync } from 'node:fs';
import { type Plugin, type TestProjectInlineConfiguration, defineConfig } from 'vitest/config';
import projects from '../../vitest.config.ts';

interface Instead {
  file?: string;
  text?: string;
  loadedFile: string;
  cacheFolder: string;
}

const { file, text, loadedFile, cacheFolder } = JSON.parse(
  readFileSync(process.env['DRAGOMAN_INSTEAD']!, 'utf8'),
) as Instead;

/** Hands out another text for one file of the product, in memory only. */
const instead: Plugin = {
  name: 'dragoman-instead',
  enforce: 'pre',
  configureVitest({ defineCacheKeyGenerator }) {
    defineCacheKeyGenerator(({ id }) => (isBroken(id) ? false : undefined)); // What is kept of it would be met by other runs.
  },
  transform(_code, id) {
    if (text === undefined || !isBroken(id)) return undefined;
    writeFileSync(loadedFile, '');
    return { code: text, map: null };
  },
};

function isBroken(id: string): boolean {
  return id.split('?')[0] === file;
}

const unit = projects.test!.projects!.find(
  (project): project is TestProjectInlineConfiguration =>
    typeof project === 'object' && 'test' in project && project.test?.name === 'unit',
)!;

/** The unit tests, with the one file in another text; SQLite stands for both databases. */
export default defineConfig({
  ...unit,
  plugins: [instead],
  test: {
    testNamePattern: /^(?!.*postgres)/i,
    ...unit.test,
    name: 'mutant',
    globalSetup: [],
    cache: false,
    fsModuleCachePath: cacheFolder,
    testTimeout: 30_000,
  },
});
