import { join } from 'node:path';
import { hiddenVariables } from '@dragoman/server/base';
import type { InstructionCache } from '../instructions/instruction-cache.ts';
import type { Sandbox } from '../sandbox/open-sandbox.ts';
import { bashTool } from '../tools/bash/bash-tool.ts';
import type { JobRegistry } from '../tools/bash/job-registry.ts';
import { jobTools } from '../tools/bash/job-tools.ts';
import { codeSearchTool } from '../tools/code-search/code-search-tool.ts';
import { fileTools } from '../tools/files/file-tools.ts';
import type { GrepToolOptions } from '../tools/files/grep-tool.ts';
import { pathSubjects, resolvePath } from '../tools/files/resolve-path.ts';
import type { SeenFiles } from '../tools/files/seen-files.ts';
import type { Tool } from '../tools/tool.ts';
import { webFetchTool } from '../tools/web/web-fetch-tool.ts';
import { webSearchTool } from '../tools/web/web-search-tool.ts';
import { type ToldInstructions, withInstructions } from './read-with-instructions.ts';
import type { WorkplaceOptions } from './workplace.ts';

/** What the tools of a workplace share. */
export interface BuiltInToolsOptions extends Pick<
  WorkplaceOptions,
  'cwd' | 'root' | 'folder' | 'config' | 'codeSearch' | 'referredEnv'
> {
  jobs: JobRegistry;
  seen: SeenFiles;
  instructions: InstructionCache;
  told: ToldInstructions;
  sandbox: () => Promise<Sandbox>;
  readAction: NonNullable<GrepToolOptions['readAction']>;
}

/** The tools that are built in. Here are their definitions; what they do is loaded when it is done. */
export function builtInTools(options: BuiltInToolsOptions): Tool.Info[] {
  const { cwd, root, folder, config, codeSearch, referredEnv = () => [] } = options;
  const { jobs, seen, instructions, told, sandbox, readAction } = options;
  const settings = config().agent;
  const outputFolder = join(folder, 'outputs');
  const files = fileTools({ seen, alwaysReadable: ({ sessionID }) => [join(outputFolder, sessionID)], readAction });
  return [
    bashTool({
      jobs,
      outputFolder,
      // Asked for each command: the configuration may change meanwhile.
      get hiddenEnv() {
        return hiddenVariables(referredEnv());
      },
      ...(settings.bash.sandbox
        ? {
            sandbox: { wrap: async (command, place) => (await sandbox()).wrap(command, place) },
            confinement: { network: settings.bash.network },
          }
        : {}),
    }),
    ...files.map((tool) => (tool.id === 'read' ? withInstructions(tool, { cwd, root }, instructions, told) : tool)),
    ...jobTools(jobs),
    webFetchTool(),
    webSearchTool(async () => {
      const { openWebSearchEngine } = await import('../tools/web/open-web-search-engine.ts');
      return openWebSearchEngine(config().webSearch);
    }),
    ...(codeSearch === undefined
      ? []
      : [
          codeSearchTool(
            () => codeSearch(root),
            (path, context) =>
              readAction(pathSubjects(context, resolvePath({ cwd: root, root }, path)), context) === 'allow',
          ),
        ]),
  ];
}
