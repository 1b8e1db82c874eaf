import { defineWords } from '../../../words/define-words.ts';

export const budgetsWords = defineWords({
  en: {
    budgets: 'Budgets',
    budgetsAbout:
      'Spending limits and current usage. Set them in the configuration. They reset by calendar period, in UTC.',
    everyone: 'everyone combined',
    scope: {
      token: (name: string) => `token ${name}`,
      user: (name: string) => `user ${name}`,
      role: (name: string) => `role ${name}`,
      route: (name: string) => `model ${name}`,
    },
    eachOf: { user: 'each user', token: 'each token' },
    and: ', ',
    per: { hour: 'per hour', day: 'per day', week: 'per week', month: 'per month' },
    units: {
      requests: (limit: string) => `${limit} requests`,
      tokens: (limit: string) => `${limit} tokens`,
      dollars: (limit: string) => limit,
    },
    unitNames: { requests: 'requests', tokens: 'tokens', dollars: 'dollars' },
    of: (spent: string, limit: string) => `${spent} of ${limit}`,
    meterOf: (name: string, unit: string) => `${name}: ${unit}`,
    nearlySpent: 'almost used up',
    spent: 'used up',
    resets: (moment: string) => `resets ${moment}`,
    unknownCalls: (count: string, isOne: boolean) =>
      isOne
        ? '1 request with unknown tokens or price is estimated or not counted'
        : `${count} requests with unknown tokens or price are estimated or not counted`,
  },
  zh: {
    budgets: '预算',
    budgetsAbout: '支出上限和当前用量。在配置中设置，按 UTC 日历周期重置。',
    everyone: '所有人共用',
    scope: {
      token: (name: string) => `令牌 ${name}`,
      user: (name: string) => `用户 ${name}`,
      role: (name: string) => `角色 ${name}`,
      route: (name: string) => `模型 ${name}`,
    },
    eachOf: { user: '每个用户', token: '每个令牌' },
    and: '，',
    per: { hour: '每小时', day: '每天', week: '每周', month: '每月' },
    units: {
      requests: (limit: string) => `${limit} 个请求`,
      tokens: (limit: string) => `${limit} token`,
      dollars: (limit: string) => limit,
    },
    unitNames: { requests: '请求', tokens: 'token', dollars: '费用' },
    of: (spent: string, limit: string) => `${spent} / ${limit}`,
    meterOf: (name: string, unit: string) => `${name}：${unit}`,
    nearlySpent: '即将用完',
    spent: '已用完',
    resets: (moment: string) => `${moment} 重置`,
    unknownCalls: (count: string) => `有 ${count} 个请求的 token 或价格未知，只能估算或不计入`,
  },
});
