import { mapWords } from './map-words.ts';

/** What no address holds, though nothing separates it from one: quotes, and the punctuation of Chinese and Japanese. */
const ENDS = String.raw`"“”‘’…\u3001-\u3003\u3008-\u3011\u3014-\u301F\uFF01\uFF08\uFF09\uFF0C\uFF1A\uFF1B\uFF1F\uFF5B\uFF5D\u300C-\u300F`;
const HAS_END = new RegExp(`[${ENDS}]`, 'u');
/** Not where an address is a link's already. */
const ADDRESS = new RegExp(String.raw`(?<!\]\(|[<\[\w/])https?://[^\s<>${ENDS}]{1,2000}(?=[${ENDS}])`, 'gu');

/**
 * A text in which addresses end where a person would end them.
 *
 * Markdown ends one at the next space, and Chinese has none: `见 https://a.b/c，然后` would lead to all of it. Such an address is
 * written in angle brackets, as Markdown has it for addresses whose end must be told.
 */
export function endAddresses(text: string): string {
  if (!text.includes('://') || !HAS_END.test(text)) return text;
  return mapWords(text, (words) =>
    words.replaceAll(ADDRESS, (found) => {
      const [address] = /^.*[^)\].,;:!?'*_~]/.exec(found) ?? [found];
      return `<${address}>${found.slice(address.length)}`;
    }),
  );
}
