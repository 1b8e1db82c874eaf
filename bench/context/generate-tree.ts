import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const VERBS =
  'get set make build parse read write send open close find load save check merge split sort apply start stop run wait retry encode decode validate register resolve render update delete create convert compare copy move list watch sync flush lock'.split(
    ' ',
  );
const NOUNS =
  'user token request response header body cookie session route handler client server socket stream buffer cache queue worker pool task job event message channel topic record table index key value node tree graph path file folder image page view form field rule policy role group account order item price invoice report metric log trace config option secret schema model query filter result error limit timeout budget window cursor batch chunk segment blob'.split(
    ' ',
  );
const WORDS = 'when the a of and is not for with every only first last until because after before already'.split(' ');
const LANGUAGES = [
  { extension: 'ts', body: typescript },
  { extension: 'py', body: python },
  { extension: 'go', body: go },
] as const;

/** Words beyond the common ones, made of syllables, as every code base has its own. */
const SYLLABLES = 'ba ce di fo gu ha ki lo mu na pe ri so ta vu wex yo zan tor lim'.split(' ');
const OWN_WORDS = Array.from({ length: 6_000 }, (_, number) =>
  [number % 20, Math.floor(number / 20) % 20, Math.floor(number / 400)].map((at) => SYLLABLES[at]).join(''),
);
const ALL_NOUNS = [...NOUNS, ...OWN_WORDS];
/** Names that a file uses again and again. */
const NAMES_A_FILE = 24;

/** A code base that nobody wrote: `files` files of about `bytes` bytes together, the same for the same numbers. */
export function generateTree(root: string, files: number, bytes: number): void {
  const random = randomNumbers(files + bytes);
  // A few words are everywhere and most are rare, as in what people write.
  const pick = <Item>(items: readonly Item[]) => items[Math.floor(random() ** 3 * items.length)]!;
  for (let number = 0; number < files; number++) {
    const { extension, body } = LANGUAGES[number % LANGUAGES.length]!;
    const names = Array.from({ length: NAMES_A_FILE }, () => `${pick(VERBS)} ${pick(ALL_NOUNS)} ${pick(ALL_NOUNS)}`);
    const folder = `${pick(ALL_NOUNS)}/${pick(NOUNS)}-${pick(VERBS)}`;
    const path = join(root, folder, `${pick(VERBS)}_${pick(ALL_NOUNS)}_${number}.${extension}`);
    // Most files are short and some are long.
    const target = (bytes / files) * Math.exp((random() + random() + random() - 1.5) * 1.2) * 0.86;
    let text = '';
    while (text.length < target) text += body(() => pick(names), pick, number);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
}

type Name = () => string;
type Pick = <Item>(items: readonly Item[]) => Item;

function sentence(pick: Pick): string {
  return Array.from({ length: 12 }, (_, index) => pick(index % 3 === 0 ? NOUNS : index % 3 === 1 ? WORDS : VERBS)).join(
    ' ',
  );
}

const camel = (words: string) => words.replace(/ (\w)/g, (_, letter: string) => letter.toUpperCase());
const pascal = (words: string) => camel(` ${words}`);
const snake = (words: string) => words.replaceAll(' ', '_');

function typescript(name: Name, pick: Pick, number: number): string {
  const lines = Array.from(
    { length: 8 },
    () => `  const ${camel(name())} = ${camel(name())}(${pick(NOUNS)}, ${number});`,
  );
  return `/** ${sentence(pick)}. */\nexport function ${camel(name())}(${pick(NOUNS)}: string): number {\n${lines.join('\n')}\n  return ${pick(NOUNS)}.length;\n}\n\n`;
}

function python(name: Name, pick: Pick, number: number): string {
  const lines = Array.from({ length: 8 }, () => `        ${snake(name())} = self.${snake(name())}(${number})`);
  return `class ${pascal(name())}:\n    """${sentence(pick)}."""\n\n    def ${snake(name())}(self, ${pick(NOUNS)}):\n${lines.join('\n')}\n        return ${pick(NOUNS)}\n\n\n`;
}

function go(name: Name, pick: Pick, number: number): string {
  const lines = Array.from({ length: 8 }, () => `\t${camel(name())} := ${pascal(name())}(ctx, ${number})`);
  return `// ${sentence(pick)}.\nfunc ${pascal(name())}(${pick(NOUNS)} string) error {\n${lines.join('\n')}\n\treturn nil\n}\n\n`;
}

function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 4_294_967_296;
  };
}
