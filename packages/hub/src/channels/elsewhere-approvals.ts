import type { Actor, Approval, ApprovalReply } from '@dragoman/protocol';
import type { Kysely } from 'kysely';
import type { HubTables } from '../hub-tables.ts';
import type { ChannelRenderer, Chat, Language, Post } from './channel.ts';
import { keepOnly } from './chat-notes.ts';
import { approvalNotice, type ElsewhereApproval } from './notice-text.ts';
import type { StoredPost } from './post-rows.ts';
import type { WantedPost } from './wanted-post.ts';

/** So many questions wait in a chat one by one; of what is beyond that there is one note, until some are decided. */
export const MOST_ASKED = 10;

/**
 * Questions of sessions that the chat does not show. They are told as notes, made from the rows of the approvals: nobody
 * reads a whole session for them.
 */
export class ElsewhereApprovals {
  readonly #db: Kysely<HubTables>;
  readonly #renderer: ChannelRenderer<unknown>;
  readonly #rows = new Map<string, StoredPost>();
  #asked = new Map<string, ElsewhereApproval>();
  #isAsked = false;
  readonly #made = new WeakMap<ElsewhereApproval, { language: Language; post: Pick<Post, 'body' | 'actions'> }>();
  #dropped: StoredPost[] = [];
  /** There are more than are asked. */
  isHolding = false;

  constructor(db: Kysely<HubTables>, renderer: ChannelRenderer<unknown>) {
    this.#db = db;
    this.#renderer = renderer;
  }

  /** These are not finished. Whether they are decided is looked up again. */
  keep(posts: readonly StoredPost[]): void {
    keepOnly(this.#rows, posts);
    this.#isAsked = false;
  }

  /** The store knows better. */
  forget(): void {
    this.#rows.clear();
  }

  /** Those that never were in the chat and are not wanted any more. */
  takeDropped(): StoredPost[] {
    const dropped = this.#dropped;
    this.#dropped = [];
    return dropped;
  }

  /** The notes about them that should stand in the chat. */
  async want(chat: Chat): Promise<WantedPost[]> {
    for (const row of this.#rows.values())
      if (row.state === 'done' || row.state === 'failed') this.#rows.delete(row.id);
    if (!this.#isAsked) await this.#ask();
    this.isHolding = false;
    const wanted: WantedPost[] = [];
    let waiting = 0;
    // What is in the chat already counts first.
    for (const row of [...this.#rows.values()].toSorted(
      (one, other) => Number(isUntried(one)) - Number(isUntried(other)),
    )) {
      const asked = this.#asked.get(row.id);
      if (asked === undefined || (asked.decided !== undefined && isUntried(row))) {
        this.#rows.delete(row.id);
        this.#dropped.push(row);
        continue;
      }
      const isFinal = asked.decided !== undefined;
      if (isUntried(row) && waiting >= MOST_ASKED) {
        this.isHolding = true;
        continue;
      }
      if (!isFinal) waiting += 1;
      const post = { ...this.#make(asked, chat.language), key: row.key, isFinal };
      wanted.push({ post, sessionId: row.sessionId, row, replyTo: undefined });
    }
    return wanted;
  }

  #make(asked: ElsewhereApproval, language: Language): Pick<Post, 'body' | 'actions'> {
    let made = this.#made.get(asked);
    if (made?.language !== language) {
      made = { language, post: this.#renderer.note(approvalNotice(language, asked), language) };
      this.#made.set(asked, made);
    }
    return made.post;
  }

  /** Looks all of them up at once; what is as it was stays the same object. */
  async #ask(): Promise<void> {
    this.#isAsked = true;
    const before = this.#asked;
    this.#asked = new Map();
    const rows = [...this.#rows.values()];
    if (rows.length === 0) return;
    const found = await this.#db
      .selectFrom('hub_approvals')
      .innerJoin('hub_sessions', 'hub_sessions.id', 'hub_approvals.session_id')
      .select(['hub_sessions.title', 'session_id', 'hub_approvals.id', 'approval_json', 'reply_json'])
      .select(['hub_approvals.by_json', 'state'])
      .where('session_id', 'in', [...new Set(rows.map(({ sessionId }) => sessionId!))])
      .where(
        'hub_approvals.id',
        'in',
        rows.map(({ key }) => approvalOf(key)),
      )
      .execute();
    const byName = new Map(found.map((each) => [`${each.session_id} ${each.id}`, each]));
    for (const row of rows) {
      const each = byName.get(`${row.sessionId} ${approvalOf(row.key)}`);
      if (each === undefined) continue;
      const isDecided = each.state === 'decided' && each.reply_json !== null && each.by_json !== null;
      const known = before.get(row.id);
      const isSame = known?.sessionTitle === each.title && (known.decided !== undefined) === isDecided;
      this.#asked.set(row.id, isSame ? known : toAsked(each, isDecided));
    }
  }
}

function toAsked(
  each: { session_id: string; title: string; approval_json: string; reply_json: string | null; by_json: string | null },
  isDecided: boolean,
): ElsewhereApproval {
  return {
    sessionId: each.session_id,
    sessionTitle: each.title,
    approval: JSON.parse(each.approval_json) as Approval,
    decided: isDecided
      ? { reply: JSON.parse(each.reply_json!) as ApprovalReply, by: JSON.parse(each.by_json!) as Actor }
      : undefined,
  };
}

function approvalOf(key: string): string {
  return key.slice('approval '.length);
}

/** Nothing was ever sent of it. */
function isUntried({ receipt, isUncertain }: StoredPost): boolean {
  return receipt === undefined && !isUncertain;
}
