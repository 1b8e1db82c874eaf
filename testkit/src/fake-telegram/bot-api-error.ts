/** What helps a bot to go on. */
export interface BotApiErrorParameters {
  retry_after?: number;
  migrate_to_chat_id?: number;
}

/** A call that is refused; how the Bot API says it. */
export class BotApiError extends Error {
  override readonly name = 'BotApiError';
  readonly status: number;
  readonly parameters: BotApiErrorParameters | undefined;

  constructor(status: number, description: string, parameters?: BotApiErrorParameters) {
    super(description);
    this.status = status;
    this.parameters = parameters;
  }
}

/** `Bad Request: …`. A name in capitals is a code of the server behind the API and stays as it is. */
export function badRequest(reason: string): BotApiError {
  const isCode = /^[A-Z][A-Z_]/.test(reason);
  return new BotApiError(400, `Bad Request: ${isCode ? reason : reason[0]!.toLowerCase() + reason.slice(1)}`);
}

/** `Forbidden: …`. */
export function forbidden(reason: string): BotApiError {
  return new BotApiError(403, `Forbidden: ${reason}`);
}

/** The answer to a call that was refused. */
export function encodeBotApiError(error: BotApiError): Record<string, unknown> {
  return {
    ok: false,
    error_code: error.status,
    description: error.message,
    ...(error.parameters !== undefined && { parameters: error.parameters }),
  };
}
