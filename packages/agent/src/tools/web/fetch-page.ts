import { lookup } from 'node:dns/promises';
import { basename } from 'node:path';
import { type Tool, ToolError } from '../tool.ts';
import { decodeText } from './decode-text.ts';
import { fetchResource, type Resource } from './fetch-resource.ts';
import { readHtml } from './read-html.ts';
import { resourceKind } from './resource-kind.ts';
import { toAddress } from './web-address.ts';
import type { WebFetchInput, WebFetchOptions } from './web-fetch-tool.ts';

type Format = NonNullable<WebFetchInput['format']>;

const ACCEPT: Record<Format, string> = {
  markdown: 'text/markdown, text/html;q=0.9, application/xhtml+xml;q=0.9, text/plain;q=0.8, */*;q=0.5',
  text: 'text/plain, text/markdown;q=0.9, text/html;q=0.8, */*;q=0.5',
  html: 'text/html, application/xhtml+xml;q=0.9, */*;q=0.5',
};

/** Gets what is at an address, and makes of it what a model can read. */
export async function fetchPage(
  { url, format = 'markdown', timeoutMs }: WebFetchInput & { timeoutMs: number },
  { abort, ask }: Tool.Context,
  { allowPrivate = [], lookup: find = lookUp }: WebFetchOptions,
): Promise<Tool.Result> {
  const resource = await fetchResource({
    url: toAddress(url),
    accept: ACCEPT[format],
    timeoutMs,
    signal: abort,
    allowPrivate,
    lookup: find,
    askHost: (host) => ask([{ kind: 'host', value: host }], `${url} redirects to ${host}.`),
  });
  return toResult(resource, format, abort);
}

function lookUp(host: string) {
  return lookup(host, { all: true });
}

async function toResult(resource: Resource, format: Format, signal: AbortSignal): Promise<Tool.Result> {
  const { url, status, contentType, bytes } = resource;
  const { kind, mime } = resourceKind(contentType, bytes);
  const metadata = { url: url.href, status, mime, bytes: bytes.length };
  switch (kind) {
    case 'page': {
      const html = decodeText(bytes, contentType);
      if (format === 'html') return { title: url.href, output: html, metadata };
      const page = await readHtml({ html, url: url.href, format }, { signal });
      return {
        title: page.title === '' ? url.href : page.title,
        output: pageText(page, format),
        metadata: { ...metadata, pageTitle: page.title },
      };
    }
    case 'text':
      return { title: url.href, output: decodeText(bytes, contentType), metadata };
    case 'media': {
      const filename = basename(url.pathname);
      return {
        title: url.href,
        output: `${url.href} is attached (${mime}, ${bytes.length} bytes).`,
        metadata,
        attachments: [
          { mime, url: `data:${mime};base64,${bytes.toString('base64')}`, ...(filename !== '' && { filename }) },
        ],
      };
    }
    case 'binary':
      throw new ToolError(
        `${url.href} is ${mime} (${bytes.length} bytes), which cannot be read as text. Download it with a command if you need it.`,
      );
  }
}

/** The title is told, unless the text begins with it. */
function pageText({ title, text, isPlain }: { title: string; text: string; isPlain: boolean }, format: Format): string {
  const notice = isPlain ? 'The page could not be made readable; these are its bare words.\n\n' : '';
  if (text === '')
    return `${notice}The page${title === '' ? '' : ` "${title}"`} holds no text. It may need a browser to show it.`;
  const heading = format === 'markdown' ? `# ${title}` : title;
  const isTold = title === '' || text.startsWith(heading);
  return `${notice}${isTold ? '' : `${heading}\n\n`}${text}`;
}
