import { type Language, languageOf } from './language.ts';

/** How a language names what a file stands on. Each pattern is global and multi-line; its groups are what is named. */
interface ImportSyntax {
  patterns: readonly RegExp[];
  /** Imports stand at the top; where it does not say, they may stand anywhere. */
  isOnTop?: boolean;
  /** `import (…)` and its like: the pattern's group holds a list, and this finds what is named in it. */
  items?: RegExp;
}

const MAX_LINES_ON_TOP = 400;
const MAX_LENGTH = 1_000_000;

const C: ImportSyntax = { patterns: [/^[ \t]*#[ \t]*(?:include|import|include_next)[ \t]*[<"]([^>"\n]{1,300})[>"]/gm] };
const ECMASCRIPT: ImportSyntax = {
  patterns: [
    /^[ \t]*(?:import|export)\b[^'"\n;(]{0,400}?(?:from[ \t]*)?['"]([^'"\n]{1,300})['"]/gm,
    // The end of a list over several lines.
    /^[ \t]*\}[ \t]*from[ \t]*['"]([^'"\n]{1,300})['"]/gm,
    /\b(?:require|import)\([ \t]*['"]([^'"\n]{1,300})['"]/g,
  ],
};

const SYNTAX: Partial<Record<Language, ImportSyntax>> = {
  bash: { patterns: [/^[ \t]*(?:source|\.|load)[ \t]+["']?([^\s"';&|]{1,300})/gm] },
  fish: { patterns: [/^[ \t]*(?:source|\.)[ \t]+["']?([^\s"';&|]{1,300})/gm] },
  c: C,
  cpp: C,
  'objective-c': C,
  csharp: {
    patterns: [
      /^[ \t]*(?:global[ \t]+)?using[ \t]+(?:static[ \t]+)?(?:\w+[ \t]*=[ \t]*)?([A-Za-z_][\w.]{0,300})[ \t]*;/gm,
    ],
    isOnTop: true,
  },
  dart: { patterns: [/^[ \t]*(?:import|export|part)[ \t]+['"]([^'"\n]{1,300})['"]/gm], isOnTop: true },
  elixir: { patterns: [/^[ \t]*(?:alias|import|use|require)[ \t]+([A-Z][\w.]{0,300})/gm] },
  go: {
    patterns: [/^import[ \t]*\(([^)]{0,20000})\)/gm, /^import[ \t]+((?:[\w.]+[ \t]+)?"[^"\n]{1,300}")/gm],
    items: /"([^"\n]{1,300})"/g,
    isOnTop: true,
  },
  haskell: {
    patterns: [/^[ \t]*import[ \t]+(?:safe[ \t]+)?(?:qualified[ \t]+)?(?:"[^"\n]*"[ \t]+)?([A-Z][\w.']{0,300})/gm],
    isOnTop: true,
  },
  java: { patterns: [/^[ \t]*import[ \t]+(?:static[ \t]+)?([A-Za-z_][\w.]{0,300}\*?)/gm], isOnTop: true },
  kotlin: { patterns: [/^[ \t]*import[ \t]+([A-Za-z_`][\w.`]{0,300}\*?)/gm], isOnTop: true },
  lua: { patterns: [/\brequire[ \t]*\(?[ \t]*['"]([^'"\n]{1,300})['"]/g] },
  php: {
    patterns: [
      /^[ \t]*use[ \t]+(?:function[ \t]+|const[ \t]+)?\\?([A-Za-z_][\w\\]{0,300})/gm,
      /\b(?:require|include)(?:_once)?\b[ \t(]{0,4}(?:__DIR__[ \t]*\.[ \t]*)?['"]([^'"\n]{1,300})['"]/g,
    ],
  },
  protobuf: { patterns: [/^[ \t]*import[ \t]+(?:public[ \t]+|weak[ \t]+)?"([^"\n]{1,300})"/gm], isOnTop: true },
  python: {
    patterns: [
      /^[ \t]*from[ \t]+([.\w]{1,300})[ \t]+import\b/gm,
      /^[ \t]*import[ \t]+([\w.]{1,200}(?:[ \t]+as[ \t]+\w+)?(?:[ \t]*,[ \t]*[\w.]{1,200}(?:[ \t]+as[ \t]+\w+)?){0,20})/gm,
    ],
    items: /(?:^|,)[ \t]*([.\w]{1,300})/g,
  },
  ruby: {
    patterns: [/^[ \t]*(?:require|require_relative|load|autoload[ \t(]+:\w+,)[ \t(]*['"]([^'"\n]{1,300})['"]/gm],
  },
  rust: {
    patterns: [
      /^[ \t]*(?:pub(?:\([^)\n]{0,60}\))?[ \t]+)?use[ \t]+((?:::)?[\w:]{1,300}?)(?:::\{|::\*|[ \t]+as\b|;)/gm,
      /^[ \t]*(?:pub(?:\([^)\n]{0,60}\))?[ \t]+)?mod[ \t]+(\w{1,100})[ \t]*;/gm,
      /^[ \t]*extern[ \t]+crate[ \t]+(\w{1,100})/gm,
    ],
  },
  scala: { patterns: [/^[ \t]*import[ \t]+([A-Za-z_`][\w.`]{0,300})/gm] },
  swift: {
    patterns: [
      /^[ \t]*(?:@\w+[ \t]+)?(?:public[ \t]+)?import[ \t]+(?:(?:class|struct|func|enum|protocol|var|let|typealias)[ \t]+)?([A-Za-z_][\w.]{0,300})/gm,
    ],
    isOnTop: true,
  },
  typescript: ECMASCRIPT,
  vue: ECMASCRIPT,
  zig: { patterns: [/@import\("([^"\n]{1,300})"\)/g] },
};

/** The modules and files a file imports, as it writes them, each once. */
export function findImports(path: string, text: string): string[] {
  const language = languageOf(path, text.slice(0, 200));
  const syntax = language === undefined ? undefined : SYNTAX[language];
  if (syntax === undefined) return [];
  const head = syntax.isOnTop ? firstLines(text, MAX_LINES_ON_TOP) : text.slice(0, MAX_LENGTH);
  const found = new Set<string>();
  for (const pattern of syntax.patterns)
    for (const match of head.matchAll(pattern)) {
      const named = match[1]!;
      if (syntax.items === undefined) found.add(named);
      else for (const item of named.matchAll(syntax.items)) found.add(item[1]!);
    }
  return [...found];
}

function firstLines(text: string, count: number): string {
  let end = -1;
  for (let line = 0; line < count; line++) {
    end = text.indexOf('\n', end + 1);
    if (end === -1) return text.slice(0, MAX_LENGTH);
  }
  return text.slice(0, Math.min(end, MAX_LENGTH));
}
