import { posix } from 'node:path';
import { CHECK_RULES } from '../packages/runner/src/check/check-rules.ts';

type Files = ReadonlyMap<string, string>;

/** What the repository has to keep to, and where it does not. Each takes the text of every file by its path. */
export const HOUSE_RULES: Readonly<Record<string, (files: Files) => string[]>> = {
  'an exported function or type of the agent, the runner, the hub or their protocol has a comment [ACC-12]':
    bareExports,
  'the product is TypeScript [ACC-17]': (files) =>
    pathsOf(files).filter((path) => /^packages\/[^/]+\/src\/.*\.(?:js|mjs|cjs|jsx)$/.test(path)),
  'no container of dependencies and nothing of opencode is a dependency [ACC-18, ACC-19]': (files) =>
    manifestsOf(files).flatMap(({ path, dependencies = {} }) =>
      Object.keys(dependencies)
        .filter((name) => /inversify|tsyringe|typedi|awilix|bottlejs|injection|opencode/.test(name))
        .map((name) => `${path}: ${name}`),
    ),
  'the types of every package are checked [ACC-07]': (files) => {
    const { references } = JSON.parse(files.get('tsconfig.json')!) as { references: { path: string }[] };
    return packagesOf(files).filter((folder) => references.every(({ path }) => path !== folder));
  },
  'a package, and a folder of the agent, is in the map of the code [ACC-20]': (files) => {
    const map = files.get('ARCHITECTURE.md')!;
    const folders = new Set(
      pathsOf(files).flatMap((path) => /^packages\/agent\/src\/([^/]+)\/[^/]/.exec(path)?.[1] ?? []),
    );
    return [
      ...packagesOf(files).filter((folder) => !map.includes(folder)),
      ...[...folders].filter((name) => !map.includes(`\`${name}\``) && !map.includes(`\`packages/agent/src/${name}\``)),
    ];
  },
  'each stage of the agent has tests of its own [NFR-06]': (files) =>
    [
      'packages/agent/src/turn',
      'packages/protocol/src/part',
      'packages/agent/src/tools',
      'packages/agent/src/skills',
      'packages/agent/src/mcp',
      'packages/agent/src/compaction',
      'packages/agent/src/open-agent.test.ts',
    ].filter((stage) => !pathsOf(files).some((path) => path.startsWith(stage) && path.endsWith('.test.ts'))),
  'a command of the program is in the README [ACC-10]': (files) => {
    const commands = files
      .get('packages/cli/src/main.ts')!
      .matchAll(/^(?:command\(|program\s+\.command\()'([\w-]+)[^\n]*'\)/gm);
    return [...commands]
      .map(([, name]) => name!)
      .filter((name) => !files.get('README.md')!.includes(`dragoman ${name}`));
  },
  'a link of a document at the root leads to a file [ACC-11]': brokenLinks,
  'the README tells how to get ripgrep on each system [BYOK-92]': (files) =>
    ['brew', 'apt', 'choco', 'scoop', 'cargo']
      .map((program) => `${program} install ripgrep`)
      .filter((command) => !files.get('README.md')!.includes(command)),
  'the README of the runner lists every rule of the check with its sentence [UAP-38]': (files) => {
    const rows = files.get('packages/runner/README.md')!.matchAll(/^\| `([\w-]+)` +\| (.+?) +\|$/gm);
    const listed = new Set([...rows].map(([, id, sentence]) => `${id}: ${sentence}`));
    return Object.entries(CHECK_RULES)
      .map(([id, { sentence }]) => `${id}: ${sentence}`)
      .filter((rule) => !listed.delete(rule))
      .concat([...listed]);
  },
  'a command writes through terminal/print.ts, which cleans what would command the terminal': (files) =>
    pathsOf(files).filter(
      (path) =>
        /^packages\/cli\/src\/.*(?<!\.test|\.fixture)\.ts$/.test(path) &&
        !/\/terminal\/(?:print|protocol-output)\.ts$/.test(path) &&
        DIRECT_OUTPUT.test(files.get(path)!),
    ),
  'a component of the console has at most 250 lines': (files) =>
    componentsOf(files).filter((path) => files.get(path)!.split('\n').length > 251),
  'a page of the console is a folder with its words': (files) => {
    const pages = pathsOf(files).flatMap((path) => /^packages\/web\/src\/pages\/([^/]+)\//.exec(path)?.[1] ?? []);
    return [...new Set(pages)]
      .flatMap((page) => [`${page}/${page}-page.tsx`, `${page}/${page}-words.ts`])
      .map((path) => `packages/web/src/pages/${path}`)
      .filter((path) => !files.has(path));
  },
  'a component of the console takes its sizes of letters from the design': (files) =>
    componentsOf(files).filter((path) => /\btext-\[\d/.test(files.get(path)!)),
  'a component of the console has no colours of its own': (files) =>
    componentsOf(files).filter((path) =>
      /#[0-9a-f]{6}\b|rgb\(|(?:bg|text|border)-(?:red|green|blue|gray|slate|zinc|amber)-\d/.test(files.get(path)!),
    ),
};

/** What asks about a stream, or listens to it, writes nothing. */
const DIRECT_OUTPUT =
  /\bprocess\.std(?:out|err)\b(?!\.(?:isTTY|on|removeAllListeners)\b)|= process;|\bprocess\[|'(?:node:)?process'|\braw(?:Output|Error)\.write\b|\bconsole\.\w+\(|\bwriteSync\([12],/;

const COMMENTED = /^packages\/(?:(?:agent|runner|hub)\/src|protocol\/src\/(?:part|agent|permission|uap|hub))\/.*\.ts$/;

function bareExports(files: Files): string[] {
  return pathsOf(files)
    .filter((path) => COMMENTED.test(path) && !/\.(?:test|fixture|d)\.ts$/.test(path))
    .flatMap((path) => {
      const lines = files.get(path)!.split('\n');
      return lines.flatMap((line, index) => {
        if (!/^export (?:declare )?(?:async )?(?:function|class|interface|type \w+ =|const|namespace)\b/.test(line))
          return [];
        if (/= z\.infer<|= ReturnType</.test(line)) return []; // The schema has the comment.
        let above = index - 1;
        // Overloads stand below one comment.
        while (/^\s*\/\/|^export (?:async )?function .*;$/.test(lines[above] ?? '')) above--;
        return /\*\/\s*$/.test(lines[above] ?? '') ? [] : [`${path}:${index + 1}`];
      });
    });
}

function brokenLinks(files: Files): string[] {
  const folders = new Set(pathsOf(files).flatMap((path) => ancestors(path)));
  const documents = ['CLAUDE.md', ...pathsOf(files).filter((path) => /^[^/]+\.md$/.test(path) && path !== 'CLAUDE.md')];
  return documents.flatMap((path) => {
    const links = [...(files.get(path) ?? '').matchAll(/\]\((?!\w+:|#)([^)#\s]+)/g)].map(([, target]) => target!);
    if (path === 'CLAUDE.md' && !links.includes('ARCHITECTURE.md'))
      return [`${path} does not lead to the architecture`];
    return links
      .map((target) => posix.normalize(target).replace(/\/$/, ''))
      .filter((target) => /\.(?:md|ts|tsx)$/.test(target) && !files.has(target) && !folders.has(target))
      .map((target) => `${path}: ${target}`);
  });
}

function ancestors(path: string): string[] {
  return path.split('/').map((_, index, names) => names.slice(0, index).join('/'));
}

function componentsOf(files: Files): string[] {
  return pathsOf(files).filter((path) => /^packages\/web\/src\/.*(?<!\.test)\.tsx$/.test(path));
}

function packagesOf(files: Files): string[] {
  return manifestsOf(files).flatMap(({ path }) => (path.startsWith('packages/') ? [posix.dirname(path)] : []));
}

function manifestsOf(files: Files): { path: string; dependencies?: Record<string, string> }[] {
  return pathsOf(files)
    .filter((path) => path.startsWith('packages/') && posix.basename(path) === 'package.json')
    .map((path) => ({ path, ...(JSON.parse(files.get(path)!) as { dependencies?: Record<string, string> }) }));
}

function pathsOf(files: Files): string[] {
  return [...files.keys()];
}
