export { checkAgent, type CheckAgentOptions, type CheckLimits } from './check/check-agent.ts';
export { type CheckedRule, type CheckReport, type CheckStatus, formatCheck } from './check/check-report.ts';
export { CHECK_RULES, type CheckRule, type CheckRuleId } from './check/check-rules.ts';
