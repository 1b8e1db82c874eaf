import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Makes the editor speak a language whose words it does not have.
 *
 * A display language counts only with a language pack, which would come from the marketplace. This one translates nothing of the
 * editor itself; extensions are told the language all the same, and show theirs.
 */
export function writeLanguagePack(userData: string, language: string): void {
  const folder = join(userData, 'words');
  const words = join(folder, 'main.i18n.json');
  mkdirSync(folder, { recursive: true });
  writeFileSync(words, JSON.stringify({ version: '1.0.0', contents: {} }));
  const pack = {
    hash: 'of-the-tests',
    extensions: [{ extensionIdentifier: { id: 'dragoman-tests.words' }, version: '1.0.0' }],
    translations: { vscode: words },
    label: language,
  };
  writeFileSync(join(userData, 'languagepacks.json'), JSON.stringify({ [language]: pack }));
}
