import type { FastifyRequest } from 'fastify';

/** Addresses of programs: what is not there is told to them in their own form, whoever asks. */
const FOR_PROGRAMS = /^\/(?:api|v1)(?:[/?]|$)/;

/** Whether a person has opened this address in a browser, and so expects something to look at. */
export function wantsPage({ method, url, headers }: Pick<FastifyRequest, 'method' | 'url' | 'headers'>): boolean {
  if (method !== 'GET' || FOR_PROGRAMS.test(url)) return false;
  const wanted = headers['sec-fetch-dest'];
  return wanted === undefined ? /\btext\/html\b/.test(headers.accept ?? '') : wanted === 'document';
}
