/** What the platform answers instead of doing it: an HTTP status, its own code, and words. */
export class LarkRefusal extends Error {
  override readonly name = 'LarkRefusal';
  readonly status: number;
  readonly code: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, code: number, msg: string, headers: Record<string, string> = {}) {
    super(msg);
    this.status = status;
    this.code = code;
    this.headers = headers;
  }
}

/** Almost all refusals of the platform come with HTTP 400. */
export function refuse(code: number, msg: string): never {
  throw new LarkRefusal(400, code, msg);
}
