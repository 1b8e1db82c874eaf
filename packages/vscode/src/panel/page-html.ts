import { panelWords } from './panel-words.ts';

/** Where the page's files are, as the editor serves them. */
export interface PageSource {
  /** The editor's own origin for files of extensions. */
  cspSource: string;
  nonce: string;
  script: string;
  style: string;
  language: string;
}

type Item = keyof ReturnType<typeof panelWords.now>['items'];

/**
 * The page of the panel. It holds no value of a setting: those come by message and are put into fields as text, so that
 * nothing that anybody typed can become part of the page. Only our own script runs, and it can reach nothing.
 */
export function pageHtml({ cspSource, nonce, script, style, language }: PageSource): string {
  const words = panelWords.now();
  const policy = `default-src 'none'; style-src ${cspSource}; script-src 'nonce-${nonce}'; base-uri 'none'; form-action 'none'`;
  return `<!DOCTYPE html>
<html lang="${escape(language)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${escape(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="${escape(style)}">
<title>${escape(words.title)}</title>
</head>
<body data-set="${escape(words.set)}" data-not-set="${escape(words.notSet)}">
<main>
<h1>${escape(words.title)}</h1>
<p>${escape(words.intro)}</p>
<p id="server" role="status"></p>
<form id="settings" novalidate autocomplete="off">
<fieldset>
<legend>${escape(words.model)}</legend>
${field('baseUrl', 'url')}
${secret('apiKey')}
${field('model', 'text')}
</fieldset>
<fieldset>
<legend>${escape(words.behaviour)}</legend>
<div class="pair">
${field('temperature', 'text', 'inputmode="decimal"')}
${field('maxTokens', 'text', 'inputmode="numeric"')}
</div>
${area('systemPromptBase')}
</fieldset>
<fieldset>
<legend>${escape(words.search)}</legend>
<div class="row">
<label class="switch"><input id="searchWithRipgrep" type="checkbox" role="switch" aria-describedby="searchWithRipgrep-help"> ${escape(words.ripgrep)}</label>
<p class="help" id="searchWithRipgrep-help">${escape(words.ripgrepHelp)}</p>
</div>
</fieldset>
<fieldset>
<legend>${escape(words.hybrid)}</legend>
<p class="help">${escape(words.hybridHelp)}</p>
${field('augmentBaseUrl', 'url')}
${secret('augmentToken')}
</fieldset>
<div class="bar">
<p id="told" role="status" aria-live="polite"></p>
<div class="actions">
<button type="submit" id="save">${escape(words.save)}</button>
<button type="button" id="test" class="secondary">${escape(words.test)}</button>
</div>
</div>
</form>
<section aria-labelledby="use">
<h2 id="use">${escape(words.use)}</h2>
<p id="chat"></p>
<p id="augment"></p>
<div class="actions">
${command('dragoman.useInChat', words.useInChat)}
${command('dragoman.connectAugment', words.connect)}
${command('dragoman.disconnect', words.disconnect)}
${command('dragoman.openConsole', words.console)}
${command('dragoman.showLog', words.log)}
</div>
</section>
</main>
<script nonce="${escape(nonce)}" src="${escape(script)}"></script>
</body>
</html>`;

  function row(item: Item, control: string, label = ''): string {
    return `<div class="row">
<label for="${item}">${escape(words.items[item])}${label}</label>
${control}
<p class="help" id="${item}-help">${escape(words.help[item])}</p>
<p class="problem" id="${item}-problem" hidden></p>
</div>`;
  }

  function field(item: Item, type: 'text' | 'url' | 'password', more = ''): string {
    return row(item, `<input id="${item}" type="${type}" ${described(item)} spellcheck="false" ${more}>`);
  }

  function area(item: Item): string {
    return row(item, `<textarea id="${item}" rows="5" ${described(item)}></textarea>`);
  }

  function secret(item: Item): string {
    return row(
      item,
      `<div class="secret"><input id="${item}" type="password" ${described(item)} spellcheck="false" autocomplete="new-password">
<button type="button" class="secondary" id="${item}-remove" hidden aria-label="${escape(words.remove)}: ${escape(words.items[item])}">${escape(words.remove)}</button></div>`,
      ` <span class="state" id="${item}-state"></span>`,
    );
  }

  function command(name: string, text: string): string {
    return `<button type="button" class="secondary" data-command="${name}">${escape(text)}</button>`;
  }
}

function described(item: Item): string {
  return `aria-describedby="${item}-help ${item}-problem"`;
}

function escape(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}
