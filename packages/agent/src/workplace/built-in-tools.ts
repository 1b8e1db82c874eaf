import { join } from 'node:path';
import type { InstructionCache } from '../instructions/instruction-cache.ts';
import type { Sandbox } from '../sandbox/open-sandbox.ts';
import { findSkills } from '../skills/find-skills.ts';
import { skillTool } from '../skills/skill-tool.ts';
import { bashTool } from '../tools/bash/bash-tool.ts';
import type { JobRegistry } from '../tools/bash/job-registry.ts';
import { jobTools } from '../tools/bash/job-tools.ts';
import { codeSearchTool } from '../tools/code-search/code-search-tool.ts';
import { customToolFolders, loadCustomTools } from '../tools/custom/load-custom-tools.ts';
import { fileTools } from '../tools/files/file-tools.ts';
import type { SeenFiles } from '../tools/files/seen-files.ts';
import type { Tool } from '../tools/tool.ts';
import { openWebSearchEngine } from '../tools/web/open-web-search-engine.ts';
import { webFetchTool } from '../tools/web/web-fetch-tool.ts';
import { webSearchTool } from '../tools/web/web-search-tool.ts';
import { withInstructions } from './read-with-instructions.ts';
import type { WorkplaceOptions } from './workplace.ts';

export interface BuiltInToolsOptions extends WorkplaceOptions {
  jobs: JobRegistry;
  seen: SeenFiles;
  instructions: InstructionCache;
  isTrusted: (folder: string) => boolean;
  mayShow: (path: string, agent: string) => boolean;
  onProblem: (problem: string) => void;
}

/** The tools that need nothing but the folder: those that are built in, those of one's own, and skills. */
export async function builtInTools(options: BuiltInToolsOptions): Promise<Tool.Info[]> {
  const { cwd, root, home, folder, config, codeSearch, jobs, seen, instructions, onProblem } = options;
  const settings = config().agent;
  const outputFolder = join(folder, 'outputs');
  const sandbox = onceOpened(folder);
  const skills = () => findSkills({ cwd, root, home, folders: settings.skills });
  const custom = await loadCustomTools({
    folders: customToolFolders({ root, home, configured: settings.tools.folders }),
    isTrusted: options.isTrusted,
  });
  for (const { path, reason } of [...custom.problems, ...(await skills()).problems]) onProblem(`${path}: ${reason}`);
  const files = fileTools({
    seen,
    alwaysReadable: [outputFolder],
    mayShow: (path, context) => options.mayShow(path, context.agent),
  });
  return [
    bashTool({
      jobs,
      outputFolder,
      ...(settings.bash.sandbox
        ? {
            sandbox: { wrap: async (command, place) => (await sandbox()).wrap(command, place) },
            confinement: { network: settings.bash.network },
          }
        : {}),
    }),
    ...files.map((tool) => (tool.id === 'read' ? withInstructions(tool, { cwd, root }, instructions) : tool)),
    ...jobTools(jobs),
    webFetchTool(),
    webSearchTool(openWebSearchEngine(config().webSearch)),
    ...(codeSearch === undefined ? [] : [codeSearchTool(() => codeSearch(root))]),
    await skillTool({ skills, sandbox }),
    ...custom.tools,
  ];
}

/** The sandbox is looked for when the first script wants to run; a machine without one is told so then. */
function onceOpened(dataFolder: string): () => Promise<Sandbox> {
  let opening: Promise<Sandbox> | undefined;
  return () => {
    opening ??= import('../sandbox/open-sandbox.ts').then(({ openSandbox }) => openSandbox({ hidden: [dataFolder] }));
    opening.catch(() => (opening = undefined)); // It may be installed by the next time.
    return opening;
  };
}
