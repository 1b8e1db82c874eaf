/** What a page of the server sends after it was logged in by this answer. */
export function loginHeaders(
  answer: { headers: Headers },
  body: unknown,
): { cookie: string; 'x-dragoman-page': string } {
  const { pageSecret } = body as { pageSecret: string };
  return { cookie: answer.headers.get('set-cookie')!.split(';')[0]!, 'x-dragoman-page': pageSecret };
}
