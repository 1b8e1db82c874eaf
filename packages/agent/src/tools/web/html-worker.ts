import { parentPort, workerData } from 'node:worker_threads';
import { htmlToMarkdown } from './html-to-markdown.ts';

/** What the thread is given: one page. It answers once, and ends. */
export interface HtmlOrder {
  html: string;
  url: string;
  format: 'markdown' | 'text';
}

const { html, url, format } = workerData as HtmlOrder;
parentPort!.postMessage(htmlToMarkdown(html, url, format));
