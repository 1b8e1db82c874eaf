import { z } from 'zod';

const ids = z.object({ open_id: z.string().nullish() });

/** Somebody wrote something. */
export const messageEventSchema = z.object({
  event_id: z.string(),
  sender: z.object({ sender_id: ids.nullish(), sender_type: z.string().nullish() }),
  message: z.object({
    message_id: z.string(),
    root_id: z.string().nullish(),
    parent_id: z.string().nullish(),
    chat_id: z.string(),
    thread_id: z.string().nullish(),
    /** `p2p` or `group`. */
    chat_type: z.string(),
    message_type: z.string(),
    /** JSON, different for each type. */
    content: z.string(),
    mentions: z.array(z.object({ key: z.string(), id: ids.nullish(), name: z.string().nullish() })).nullish(),
  }),
});
export type MessageEvent = z.output<typeof messageEventSchema>;

/** Somebody pressed a button or sent a form. The card's own token stands where the event's would be. */
export const pressEventSchema = z.object({
  event_id: z.string(),
  operator: ids,
  action: z.object({
    value: z.unknown(),
    form_value: z.record(z.string(), z.unknown()).nullish(),
    input_value: z.string().nullish(),
    option: z.string().nullish(),
  }),
  context: z.object({ open_chat_id: z.string().nullish() }).nullish(),
  open_chat_id: z.string().nullish(),
});

/** The bot came into a group, or was removed. */
export const memberEventSchema = z.object({
  event_id: z.string(),
  chat_id: z.string(),
  operator_id: ids.nullish(),
  name: z.string().nullish(),
});

/** What an event begins with, in the form of today; `event` holds what differs. */
export const eventEnvelopeSchema = z.object({
  header: z.object({ event_id: z.string(), event_type: z.string(), token: z.string().nullish() }),
  event: z.record(z.string(), z.unknown()).nullish(),
});

/** What Lark sends when the address is entered in the developer console. */
export const challengeSchema = z.object({
  type: z.literal('url_verification'),
  token: z.string(),
  challenge: z.string(),
});

/** The events that are asked for. */
export const EVENTS = {
  message: 'im.message.receive_v1',
  joined: 'im.chat.member.bot.added_v1',
  left: 'im.chat.member.bot.deleted_v1',
  press: 'card.action.trigger',
} as const;
