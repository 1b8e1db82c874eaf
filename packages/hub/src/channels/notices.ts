import { setImmediate } from 'node:timers/promises';
import { type HubEvent, newId } from '@dragoman/protocol';
import type { AccessTables } from '@dragoman/server/base';
import type { HubParts } from '../hub-parts.ts';
import type { SessionChange, SessionRow } from '../log/session-change.ts';
import { whoHears } from '../push/find-recipients.ts';
import { isNews, noteOf, type PushNote } from '../push/push-note.ts';
import type { Language } from './channel.ts';
import { endNotice } from './notice-text.ts';
import { withBoundRoles } from './people/bindings.ts';
import { groupOf } from './people/chat-store.ts';
import { addApprovalPost, addNote, type ChatPlace } from './post-store.ts';

/**
 * Notes what chats are to be told of, in the transaction that stores the event: the same things that browsers are notified
 * of. Which chats those are is found out later; whoever works on a session does not wait for that.
 */
export async function noteForChats(parts: HubParts, change: SessionChange, event: HubEvent): Promise<void> {
  const { channels } = parts;
  if (channels === undefined || !channels.isAnyOn) return;
  const { id } = change.session;
  if (event.type === 'approval-decided' || event.type === 'approval-withdrawn')
    change.afterCommit(() => channels.wakeAsked(id, event.approvalId));
  if (!isNews(event)) return;
  const anyone = await change.db.selectFrom('hub_chat_bindings').select('user_id').limit(1).executeTakeFirst();
  const note = anyone === undefined ? undefined : noteOf(change, event);
  if (note === undefined) return;
  await change.db
    .insertInto('hub_chat_notices')
    .values({ id: newId('ntf'), session_id: id, note_json: JSON.stringify(note), created_at: parts.now() })
    .execute();
  change.afterCommit(() => channels.notices.wake());
}

/** What could not be told for so long is no news; a question is, as long as it waits. */
const STALE_MS = 10 * 60_000;
const AT_ONCE = 50;

type NoticeRow = { id: string; session_id: string; note_json: string; created_at: number };
type Target = ChatPlace & { language: Language };
type PrivateChat = { user_id: string; session_id: string | null; is_muted: number };

/**
 * Turns what was noted into posts of the chats it concerns. A notice becomes posts in the transaction that deletes it, so
 * it is told once, whichever process does it and whenever that ends.
 */
export class Notices {
  readonly #parts: HubParts;
  /** The channels that are configured. */
  readonly #names: () => readonly string[];
  readonly #wakeChat: (place: ChatPlace) => void;
  #working: Promise<void> | undefined;
  #isRung = false;
  #isClosed = false;

  constructor(parts: HubParts, names: () => readonly string[], wakeChat: (place: ChatPlace) => void) {
    this.#parts = parts;
    this.#names = names;
    this.#wakeChat = wakeChat;
  }

  /** There may be something to tell. */
  wake(): void {
    this.#isRung = true;
    if (this.#isClosed) return;
    this.#working ??= this.#work().finally(() => {
      this.#working = undefined;
      if (this.#isRung) this.wake();
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#working;
  }

  async #work(): Promise<void> {
    const { db, logger } = this.#parts;
    while (this.#isRung && !this.#isClosed) {
      this.#isRung = false;
      let after = '';
      for (;;) {
        let rows: NoticeRow[] = [];
        try {
          const query = db.selectFrom('hub_chat_notices').selectAll().where('id', '>', after);
          rows = await query.orderBy('id').limit(AT_ONCE).execute();
        } catch (err) {
          if (!this.#isClosed) logger.warn({ err }, 'could not read what to notify chats about');
        }
        const woken = new Map<string, Target>();
        for (const row of rows) {
          for (const target of await this.#tell(row)) woken.set(`${target.channel} ${target.chatId}`, target);
          // A store in this process takes no time to wait for: others would get no turn.
          await setImmediate();
        }
        for (const target of woken.values()) this.#wakeChat(target);
        after = rows.at(-1)?.id ?? after;
        if (rows.length < AT_ONCE || this.#isClosed) break;
      }
    }
  }

  /** The chats that have something to say by now. */
  async #tell(row: NoticeRow): Promise<readonly Target[]> {
    const { db, logger, now } = this.#parts;
    if (this.#isClosed) return [];
    try {
      const note = JSON.parse(row.note_json) as PushNote;
      const session = await db
        .selectFrom('hub_sessions')
        .selectAll()
        .where('id', '=', row.session_id)
        .executeTakeFirst();
      const isNews = session !== undefined && (await this.#isNews(row, note));
      const targets = isNews ? await this.#targets(session, note) : [];
      const isMine = await db.transaction().execute(async (transaction) => {
        const { numDeletedRows } = await transaction
          .deleteFrom('hub_chat_notices')
          .where('id', '=', row.id)
          .executeTakeFirst();
        if (numDeletedRows === 0n) return false;
        for (const target of targets) {
          if (note.kind === 'approval')
            await addApprovalPost(
              transaction,
              target,
              { sessionId: row.session_id, approvalId: note.approvalId },
              now(),
            );
          else await addNote(transaction, target, endNotice(target.language, note, session!), now());
        }
        return true;
      });
      return isMine ? targets : [];
    } catch (err) {
      if (!this.#isClosed) logger.warn({ err, sessionId: row.session_id }, 'could not notify chats about a session');
      return [];
    }
  }

  async #isNews({ session_id, created_at }: NoticeRow, note: PushNote): Promise<boolean> {
    const { db, now } = this.#parts;
    if (note.kind !== 'approval') return created_at > now() - STALE_MS;
    const waiting = await db
      .selectFrom('hub_approvals')
      .select('id')
      .where('session_id', '=', session_id)
      .where('id', '=', note.approvalId)
      .where('state', '=', 'waiting')
      .executeTakeFirst();
    return waiting !== undefined;
  }

  /** The private chats that are told: of each person one in each channel, unless they see the session in a chat anyway. */
  async #targets(session: SessionRow, { kind }: PushNote): Promise<Target[]> {
    const { readers } = this.#parts;
    const db = this.#parts.db.withTables<Pick<AccessTables, 'users' | 'tokens' | 'login_codes'>>();
    const names = this.#names();
    if (names.length === 0) return [];
    const bound = await db
      .selectFrom('hub_chats as chat')
      .innerJoin('hub_chat_bindings as binding', (join) =>
        join.onRef('binding.channel', '=', 'chat.channel').onRef('binding.account_id', '=', 'chat.account_id'),
      )
      .innerJoin('users', 'users.id', 'binding.user_id')
      .select(['chat.channel', 'chat.chat_id', 'chat.language', 'chat.session_id', 'chat.is_muted', 'chat.created_at'])
      .select(['chat.account_id', 'users.id as user_id', 'users.role', 'binding.made_by as madeBy'])
      .where('chat.kind', '=', 'private')
      .where('chat.state', '=', 'open')
      .where('chat.channel', 'in', names)
      .execute();
    const rows = await withBoundRoles(this.#parts.db, bound, this.#parts.now());
    const hearing = await whoHears({ db, readers }, session, kind, rows);
    const seeing = await this.#whoSees(session.id, kind, rows);
    const targets: Target[] = [];
    for (const chats of Map.groupBy(rows, ({ channel, account_id }) => `${channel} ${account_id}`).values()) {
      const { user_id } = chats[0]!;
      if (!hearing.has(user_id) || seeing.has(user_id)) continue;
      if (chats.some(({ session_id }) => session_id === session.id)) continue;
      // A topic is for the session that it shows.
      const isTopic = (chatId: string) => Number(groupOf(chatId) !== chatId);
      const [main] = chats.toSorted(
        (one, other) => isTopic(one.chat_id) - isTopic(other.chat_id) || one.created_at - other.created_at,
      );
      if (main!.is_muted === 0)
        targets.push({ channel: main!.channel, chatId: main!.chat_id, language: main!.language });
    }
    return targets;
  }

  /**
   * Who sees the session in a chat: in private on any channel, or in the group in which they asked for something. Where it
   * is muted only the questions of the session are told.
   */
  async #whoSees(sessionId: string, kind: PushNote['kind'], chats: readonly PrivateChat[]): Promise<Set<string>> {
    const isTold = ({ is_muted }: { is_muted: number }) => is_muted === 0 || kind === 'approval';
    const seeing = new Set<string>(
      chats.flatMap((chat) => (chat.session_id === sessionId && isTold(chat) ? [chat.user_id] : [])),
    );
    const asked = await this.#parts.db
      .selectFrom('hub_chats as chat')
      .innerJoin('hub_chat_prompts as own', (join) =>
        join.onRef('own.channel', '=', 'chat.channel').onRef('own.chat_id', '=', 'chat.chat_id'),
      )
      .innerJoin('hub_prompts as prompt', (join) =>
        join.onRef('prompt.session_id', '=', 'own.session_id').onRef('prompt.id', '=', 'own.prompt_id'),
      )
      .select(['prompt.by_json', 'chat.is_muted'])
      .distinct()
      .where('chat.session_id', '=', sessionId)
      .where('own.session_id', '=', sessionId)
      .where('chat.kind', '=', 'group')
      .where('chat.state', '=', 'open')
      .where('chat.channel', 'in', this.#names())
      .execute();
    for (const { by_json, is_muted } of asked) {
      const { userId } = JSON.parse(by_json) as { userId?: string };
      if (userId !== undefined && isTold({ is_muted })) seeing.add(userId);
    }
    return seeing;
  }
}
