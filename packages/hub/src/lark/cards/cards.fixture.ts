import type { LoggedHubEvent, SessionView } from '@dragoman/protocol';
import { foldHubEvents, partMaker } from '@dragoman/protocol';
import { type CardView, plainView, validateCard } from '@dragoman/testkit';
import type { Scene } from '../../channels/channel.ts';
import type { CardJson } from './card-json.ts';
import { isWithinLimits } from './card-limits.ts';
import { larkRenderer } from './card-renderer.ts';
import { fillCard } from './fill-card.ts';
import type { LarkBody } from './lark-body.ts';

/** The card as it is sent, with made-up keys. */
function filled(card: CardJson): CardJson {
  return fillCard(card, { actionData: (index) => `post_1.${index}`, imageKey: () => 'img_v3_0000' });
}

/** What a person sees of a card. */
export function seen(card: CardJson): CardView {
  return plainView(filled(card) as unknown as Parameters<typeof plainView>[0]);
}

/** Everything that is wrong with a card: what Lark refuses, and what would be markup that is not ours. */
export function wrongIn(card: CardJson): string[] {
  const view = seen(card);
  return [
    ...validateCard(filled(card)).map(({ path, message }) => `${path}: ${message}`),
    ...view.mentions.map((mention) => `mentions ${mention}`),
    ...view.unknownTags.map((tag) => `tag ${tag}`),
    ...view.links.filter((link) => !/^(?:https?:\/\/|mailto:)/i.test(link)).map((link) => `leads to ${link}`),
    ...colourless(card).filter((text) => /<(?:font|text_tag|at|person|a |img|link|\/)/i.test(text)),
    ...(isWithinLimits(card) ? [] : ['is over our own limits']),
  ];
}

/** The Markdown of a card outside of code, without the colours that are ours. */
function colourless(card: CardJson): string[] {
  const texts: string[] = [];
  JSON.stringify(card, (_key, value: unknown) => {
    const { tag, content } = (value ?? {}) as { tag?: unknown; content?: unknown };
    if (tag === 'markdown') texts.push(String(content));
    return value;
  });
  return texts.map((text) =>
    text
      .replaceAll(/^```[^]*?^```$/gm, '')
      .replaceAll(/`[^`\n]*`/g, '')
      .replaceAll(/<font color='(?:blue|orange|green|red|grey)'>([^<]*)<\/font>/g, '$1'),
  );
}

/** The card of a post that is one. */
export function cardIn(body: LarkBody): CardJson {
  if (body.type !== 'card') throw new Error(`expected a card, and it is a ${body.type}`);
  return body.card;
}

/** What a scene is without a session. */
export const NO_SCENE: Omit<Scene, 'view'> = {
  language: 'en',
  link: 'https://hub.example/sessions/ses_1',
  ownPrompts: new Map(),
};

/** Every post of a session, as the desk would ask for them. */
export function postsOf(view: SessionView, how: Partial<Scene> = {}): ReturnType<typeof larkRenderer.part>[number][] {
  const scene: Scene = { ...NO_SCENE, ...how, view };
  return [
    ...partMaker()(view).flatMap((part) => larkRenderer.part(part, scene)),
    ...view.approvals.map((approval) => larkRenderer.approval(approval, scene)),
  ];
}

/** The cards of a session's answers. */
export function cardsIn(view: SessionView, how: Partial<Scene> = {}): CardJson[] {
  return postsOf(view, how).flatMap(({ body }) => (body.type === 'card' ? [body.card] : []));
}

/** The view after the event with that number. */
export function viewAt(events: readonly LoggedHubEvent[], seq: number): SessionView {
  return foldHubEvents(events.filter((event) => event.seq <= seq))!;
}
