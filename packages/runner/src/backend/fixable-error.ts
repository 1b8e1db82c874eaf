import { DragomanError, type DragomanErrorCode, type DragomanErrorOptions } from '@dragoman/protocol';

/** A failure that a person can do something about, with what to do apart from what happened: a command to run, as a rule. */
export class FixableError extends DragomanError {
  readonly fix: string;

  constructor(code: DragomanErrorCode, message: string, fix: string, options: DragomanErrorOptions = {}) {
    super(code, message, options);
    this.fix = fix;
  }
}
