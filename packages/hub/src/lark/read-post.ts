import { z } from 'zod';

/** Rich text, and the pictures and files in it. */
export interface ReadPost {
  text: string;
  images: string[];
  /** Videos. */
  media: { key: string; name: string }[];
}

const runSchema = z.object({
  tag: z.string(),
  text: z.string().nullish(),
  href: z.string().nullish(),
  user_id: z.string().nullish(),
  user_name: z.string().nullish(),
  image_key: z.string().nullish(),
  file_key: z.string().nullish(),
  file_name: z.string().nullish(),
  emoji_type: z.string().nullish(),
  language: z.string().nullish(),
  style: z.array(z.string()).nullish(),
});
const bodySchema = z.object({ title: z.string().nullish(), content: z.array(z.array(runSchema.catch({ tag: '' }))) });
const postSchema = z.union([
  bodySchema,
  z.record(z.string(), bodySchema).transform((byLanguage) => Object.values(byLanguage)[0]),
]);

/**
 * A rich text message as Markdown. People write one whenever they paste code or a picture along with words.
 *
 * Mentions stay as their keys (`@_user_1`), as in a plain message.
 */
export function readPost(content: unknown): ReadPost {
  const post = postSchema.safeParse(content).data;
  const read: ReadPost = { text: '', images: [], media: [] };
  if (post === undefined) return read;
  const lines = post.content.map((runs) => runs.map((run) => readRun(run, read)).join(''));
  read.text = [...(post.title ? [`**${post.title}**`, ''] : []), ...lines].join('\n').trim();
  return read;
}

function readRun(run: z.output<typeof runSchema>, read: ReadPost): string {
  const text = run.text ?? '';
  switch (run.tag) {
    case 'a':
      return run.href && run.href !== text ? `[${text}](${run.href})` : (run.href ?? text);
    case 'at':
      return run.user_id?.startsWith('@_') ? run.user_id : `@${run.user_name ?? run.user_id ?? ''}`;
    case 'img':
      if (run.image_key) read.images.push(run.image_key);
      return '';
    case 'media':
      if (run.file_key) read.media.push({ key: run.file_key, name: run.file_name || 'video.mp4' });
      return '';
    case 'emotion':
      return run.emoji_type ? `:${run.emoji_type}:` : '';
    case 'code_block':
      return `\n\`\`\`${run.language?.toLowerCase() ?? ''}\n${text.replace(/\n$/u, '')}\n\`\`\`\n`;
    case 'hr':
      return '\n---\n';
    default:
      return styled(text, run.style ?? []);
  }
}

function styled(text: string, style: readonly string[]): string {
  if (text.trim() === '') return text;
  let marked = text;
  if (style.includes('code')) marked = `\`${marked}\``;
  if (style.includes('bold')) marked = `**${marked}**`;
  if (style.includes('italic')) marked = `*${marked}*`;
  if (style.includes('lineThrough')) marked = `~~${marked}~~`;
  return marked;
}
