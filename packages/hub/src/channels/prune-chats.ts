import type { Kysely } from 'kysely';
import type { HubTables } from '../hub-tables.ts';
import { forgetHeard } from './people/heard-store.ts';

const DAY_MS = 24 * 60 * 60_000;
/** Answers to commands are forgotten after this, and their buttons with them; so is a chat of nobody in which nothing is said. */
const OLD_NOTE_MS = 30 * DAY_MS;
/** So long a message about a session that its chat does not show any more can be answered. */
const OLD_POST_MS = 90 * DAY_MS;

/** Forgets what a channel needs no more, so that nobody can fill the store by talking to it. */
export async function pruneChats(db: Kysely<HubTables>, channel: string, now: number): Promise<void> {
  await forgetHeard(db, channel, now);
  await db.deleteFrom('hub_bind_codes').where('expires_at', '<=', now).execute();
  await db
    .deleteFrom('hub_chat_posts')
    .where('channel', '=', channel)
    .where('session_id', 'is', null)
    .where('updated_at', '<', now - OLD_NOTE_MS)
    .execute();
  await db
    .deleteFrom('hub_chat_posts')
    .where('channel', '=', channel)
    .where('state', 'in', ['done', 'failed'])
    .where('updated_at', '<', now - OLD_POST_MS)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('hub_chats as chat')
            .select('chat.chat_id')
            .whereRef('chat.channel', '=', 'hub_chat_posts.channel')
            .whereRef('chat.chat_id', '=', 'hub_chat_posts.chat_id')
            .whereRef('chat.session_id', '=', 'hub_chat_posts.session_id'),
        ),
      ),
    )
    .execute();
  await pruneQuiet(db, channel, now - OLD_NOTE_MS);
}

/** Groups that nobody allowed and private chats of accounts that are nobody's: where something is said, there are notes of it. */
async function pruneQuiet(db: Kysely<HubTables>, channel: string, before: number): Promise<void> {
  await db
    .deleteFrom('hub_chats')
    .where('channel', '=', channel)
    .where('updated_at', '<', before)
    .where(({ and, or, not, exists, eb, selectFrom }) =>
      and([
        or([
          eb('state', '=', 'asked'),
          and([
            eb('kind', '=', 'private'),
            not(
              exists(
                selectFrom('hub_chat_bindings as binding')
                  .select('binding.user_id')
                  .whereRef('binding.channel', '=', 'hub_chats.channel')
                  .whereRef('binding.account_id', '=', 'hub_chats.account_id'),
              ),
            ),
          ]),
        ]),
        not(
          exists(
            selectFrom('hub_chat_posts as post')
              .select('post.id')
              .whereRef('post.channel', '=', 'hub_chats.channel')
              .whereRef('post.chat_id', '=', 'hub_chats.chat_id'),
          ),
        ),
      ]),
    )
    .execute();
}
