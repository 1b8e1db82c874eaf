import { providerWords } from '../../../provider-setup/provider-words.ts';
import { defineWords } from '../../../words/define-words.ts';

/** What can be wrong, by the code of a call that failed; most problems of a test are told by `providerWords`. */
export const problemWords = defineWords({
  en: {
    other: 'It did not work',
    resting: 'resting',
    restingUntil: (why: string, until: string) => `${why}. Passed over until ${until}.`,
    restingDue: (why: string) => `${why}. The next call tries it again.`,
    problems: {
      'unknown-name': 'There is no such name here.',
      cancelled: 'It was called off.',
      internal: 'Something broke in Dragoman; its log may say more.',
    },
    calls: {
      'bad-request': 'It was not understood',
      unauthenticated: 'The key was refused',
      forbidden: 'The key was refused',
      'not-found': 'There is no such model',
      'too-large': 'It was too large',
      'rate-limited': 'Asked too often',
      'context-overflow': 'Longer than the model takes',
      'timed-out': 'No answer came in time',
      cancelled: 'The client left',
      unavailable: 'Not reached, or it failed',
      'config-invalid': 'It is not set up rightly',
      internal: 'Something broke in Dragoman',
    },
  },
  zh: {
    other: '没有成功',
    resting: '暂停中',
    restingUntil: (why: string, until: string) => `${why}。${until} 之前跳过。`,
    restingDue: (why: string) => `${why}。下一次调用会重新尝试。`,
    problems: {
      'unknown-name': '这里没有这个名称。',
      cancelled: '已取消。',
      internal: 'Dragoman 内部出错，日志里可能有更多信息。',
    },
    calls: {
      'bad-request': '请求无法理解',
      unauthenticated: '密钥被拒绝',
      forbidden: '密钥被拒绝',
      'not-found': '没有这个模型',
      'too-large': '内容太大',
      'rate-limited': '请求太频繁',
      'context-overflow': '超出模型的上下文长度',
      'timed-out': '没有及时收到回答',
      cancelled: '客户端已离开',
      unavailable: '无法连接或出错',
      'config-invalid': '配置不正确',
      internal: 'Dragoman 内部出错',
    },
  },
});

type ProblemWords = ReturnType<typeof problemWords.use>;

/** The title of a problem that a test found: what is wrong, and what to do. */
export function useProblemTitle(code: string): string {
  const words = problemWords.use();
  const titles: Readonly<Record<string, string>> = { ...providerWords.use().problems, ...words.problems };
  return titles[code] ?? words.other;
}

/** What it means that a call failed with this code. */
export function callErrorTitle(words: ProblemWords, code: string): string {
  const titles: Readonly<Record<string, string>> = words.calls;
  return Object.hasOwn(titles, code) ? titles[code]! : words.other;
}
