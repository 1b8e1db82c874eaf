import { DragomanError } from '@dragoman/protocol';

/** A SKILL.md that cannot be used: where, and why. */
export class SkillFileError extends DragomanError {
  override readonly name = 'SkillFileError';
  readonly path: string;
  /** Counted from 1, as editors do. */
  readonly line: number;
  readonly reason: string;

  constructor(path: string, line: number, reason: string, options: { cause?: unknown } = {}) {
    super('config-invalid', `${path}:${line}: ${reason}`, options);
    this.path = path;
    this.line = line;
    this.reason = reason;
  }
}
