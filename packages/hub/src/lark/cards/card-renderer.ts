import type { SessionPart } from '@dragoman/protocol';
import type { ChannelRenderer, Scene } from '../../channels/channel.ts';
import { shareablePart } from '../../channels/shareable-part.ts';
import { cardsOf } from './answer-cards.ts';
import { approvalCard } from './approval-card.ts';
import { isKept } from './attachment-elements.ts';
import { cleanLine } from './clean-text.ts';
import type { LarkBody } from './lark-body.ts';
import { noteCard, withdrawnCard } from './note-card.ts';

/** How Lark shows a session: an answer is a card, a question is a card with buttons, a file is a message of its own. */
export const larkRenderer: ChannelRenderer<LarkBody> = {
  part(whole, scene) {
    const part = shareablePart(whole);
    const cards = cardsOf(part, scene).map((body, index) => ({
      key: index === 0 ? `part ${part.key}` : `part ${part.key} ${index + 1}`,
      body,
      actions: [],
    }));
    return [...cards, ...filePosts(part, scene)];
  },
  approval(approval, scene) {
    const { card, summary, actions } = approvalCard(approval, scene);
    return { key: `approval ${approval.id}`, body: { type: 'card', card, summary, isStreaming: false }, actions };
  },
  note(note, language) {
    const { card, summary, actions } = noteCard(note, language);
    return { body: { type: 'card', card, summary, isStreaming: false }, actions };
  },
  withdrawn(language) {
    return { body: { type: 'card', ...withdrawnCard(language), isStreaming: false }, actions: [] };
  },
};

/** Files cannot be in a card. */
function filePosts({ rows }: SessionPart, _scene: Scene): { key: string; body: LarkBody; actions: [] }[] {
  return rows.flatMap((row) => {
    if (row.type !== 'attachment' || row.shown.block.type !== 'file' || !isKept(row.shown.block.url)) return [];
    const { url, name, media_type: mediaType = 'application/octet-stream' } = row.shown.block;
    const body: LarkBody = { type: 'file', url, name: cleanLine(name, 200), mediaType };
    return [{ key: `file ${row.shown.id}`, body, actions: [] as [] }];
  });
}
