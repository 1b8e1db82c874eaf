import { providerWords } from '../../../provider-setup/provider-words.ts';
import { defineWords } from '../../../words/define-words.ts';

/**
 * What can be wrong, by the code of a call that failed at a provider or that the gateway itself turned away; most problems of
 * a test are told by `providerWords`.
 */
export const problemWords = defineWords({
  en: {
    other: 'Something went wrong',
    resting: 'paused',
    restingUntil: (why: string, until: string) => `${why}. Skipped until ${until}.`,
    restingDue: (why: string) => `${why}. The next request will retry it.`,
    problems: {
      'unknown-name': 'Unknown name.',
      cancelled: 'Cancelled.',
      internal: 'Internal error. See the server log for details.',
    },
    calls: {
      'bad-request': 'Provider rejected the request',
      unauthenticated: 'Provider rejected the key',
      forbidden: 'Provider rejected the key',
      'not-found': 'Provider has no such model',
      'too-large': 'Too large for the provider',
      'rate-limited': 'Provider rate limit',
      'over-budget': 'Over budget',
      'context-overflow': 'Too long for the model',
      'timed-out': 'Timed out',
      cancelled: 'Client disconnected',
      unavailable: 'Provider unavailable',
      'config-invalid': 'Configuration error',
      internal: 'Internal error',
    },
    refusals: {
      'bad-request': 'Invalid request',
      forbidden: 'Not allowed',
      'not-found': 'Unknown model',
      'too-large': 'Request too large',
      'unsupported-media': 'Unsupported content type',
      'rate-limited': 'Dragoman rate limit',
    },
  },
  zh: {
    other: '出错了',
    resting: '暂停中',
    restingUntil: (why: string, until: string) => `${why}。${until} 之前跳过。`,
    restingDue: (why: string) => `${why}。下一个请求会重新尝试。`,
    problems: {
      'unknown-name': '这里没有这个名称。',
      cancelled: '已取消。',
      internal: '内部错误，详情见服务器日志。',
    },
    calls: {
      'bad-request': '模型服务拒绝了请求',
      unauthenticated: '模型服务拒绝了密钥',
      forbidden: '模型服务拒绝了密钥',
      'not-found': '模型服务没有这个模型',
      'too-large': '超出模型服务的大小限制',
      'rate-limited': '模型服务限流',
      'over-budget': '超出预算',
      'context-overflow': '超出模型的上下文长度',
      'timed-out': '超时',
      cancelled: '客户端已断开',
      unavailable: '模型服务不可用',
      'config-invalid': '配置错误',
      internal: '内部错误',
    },
    refusals: {
      'bad-request': '请求无效',
      forbidden: '没有权限',
      'not-found': '没有这个模型',
      'too-large': '请求太大',
      'unsupported-media': '不支持的内容类型',
      'rate-limited': 'Dragoman 限流',
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

/** What it means that a call failed with this code at a provider. */
export function callErrorTitle(words: ProblemWords, code: string): string {
  return titleIn(words.calls, code) ?? words.other;
}

/** What it means that the gateway itself turned a call away with this code. */
export function refusalTitle(words: ProblemWords, code: string): string {
  return titleIn(words.refusals, code) ?? callErrorTitle(words, code);
}

function titleIn(titles: Readonly<Record<string, string>>, code: string): string | undefined {
  return Object.hasOwn(titles, code) ? titles[code] : undefined;
}
