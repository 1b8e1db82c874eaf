import { z } from 'zod';
import { partBaseSchema } from './part-base.ts';
import { type AnyPart, type CustomPart, partSchema } from './part.ts';

/** Reads parts: the twelve that are built in, and those of one's own that were registered. */
export class PartRegistry {
  readonly #custom = new Map<string, z.ZodType>();

  /** The type's name starts with `x-`, so that it never meets one of ours. */
  register<Shape extends z.ZodRawShape>(type: `x-${string}`, shape: Shape): void {
    if (!/^x-[a-z0-9-]+$/.test(type))
      throw new Error(`A part type of one's own is named like "x-chart"; "${String(type)}" is not.`);
    if (this.#custom.has(type)) throw new Error(`The part type "${type}" is registered already.`);
    this.#custom.set(type, partBaseSchema.extend({ type: z.literal(type), ...shape }));
  }

  /** Throws what is wrong with the value, also when its type is not known. */
  parse(value: unknown): AnyPart {
    const type = (value as { type?: unknown } | null)?.type;
    const custom = typeof type === 'string' ? this.#custom.get(type) : undefined;
    if (custom !== undefined) return custom.parse(value) as CustomPart;
    if (typeof type === 'string' && type.startsWith('x-'))
      throw new Error(`The part type "${type}" is not registered.`);
    return partSchema.parse(value);
  }
}
