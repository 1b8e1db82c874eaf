import { z } from 'zod';
import type { Receipt } from '../channels/channel.ts';

/** What is known of a card that is in a chat. */
export interface CardState {
  /** The card entity. */
  card: string;
  /** The highest number that a change of it had. */
  sequence: number;
  /** When its streaming mode was opened; null where it is closed. */
  openedAt: number | null;
  /** Keys of uploaded images by the address of the attachment. */
  images: Readonly<Record<string, string>>;
}

const stateSchema = z.union([
  z.object({
    type: z.literal('card'),
    card: z.string(),
    sequence: z.number(),
    openedAt: z.number().nullable(),
    images: z.record(z.string(), z.string()),
  }),
  z.object({ type: z.literal('file') }),
  z.object({ type: z.literal('recalled') }),
]);
type ReceiptState = z.output<typeof stateSchema>;

/** What a receipt of this channel holds. */
export function readReceipt(receipt: Receipt): ReceiptState | undefined {
  return stateSchema.safeParse(receipt.data).data;
}

/** The receipt of a card. */
export function cardReceipt(messageId: string | undefined, { card, sequence, openedAt, images }: CardState): Receipt {
  return {
    ...(messageId === undefined ? {} : { messageId }),
    isLasting: true,
    data: { type: 'card', card, sequence, openedAt, images: { ...images } },
  };
}
