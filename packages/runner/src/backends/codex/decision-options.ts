import type { ApprovalOption } from '@dragoman/protocol';
import { type Fields, fieldsIn, listIn, textIn, textsIn } from '../../backend/fields.ts';

/** A choice for people, and what Codex is answered with when it is taken. */
export interface DecisionOption extends ApprovalOption {
  decision: unknown;
}

const PLAIN: Readonly<Record<string, ApprovalOption>> = {
  accept: { id: 'accept', name: 'Allow once', kind: 'allow_once' },
  acceptForSession: { id: 'acceptForSession', name: 'Allow for this session', kind: 'allow_always' },
  decline: { id: 'decline', name: 'Deny', kind: 'reject_once' },
};

/**
 * What may be answered to a question of Codex: the decisions that it lists, and where it lists none those that every
 * release knows and those that it proposes.
 */
export function decisionOptions(params: Fields): DecisionOption[] {
  const listed = params['availableDecisions'];
  const rule = textsIn(params, 'proposedExecpolicyAmendment');
  const decisions: unknown[] =
    Array.isArray(listed) && listed.length > 0
      ? listed
      : [
          'accept',
          'acceptForSession',
          ...(rule.length === 0 ? [] : [{ acceptWithExecpolicyAmendment: { execpolicy_amendment: rule } }]),
          ...listIn(params, 'proposedNetworkPolicyAmendments').map((each) => ({
            applyNetworkPolicyAmendment: { network_policy_amendment: each },
          })),
          'decline',
        ];
  const options = decisions.flatMap((decision, at) => toOption(decision, at));
  // Without a plain no, the one that also stops the turn is the no.
  if (options.some(({ kind }) => kind === 'reject_once')) return options;
  return [...options, { id: 'cancel', name: 'Deny and stop', kind: 'reject_once', decision: 'cancel' }];
}

function toOption(decision: unknown, at: number): DecisionOption[] {
  if (typeof decision === 'string') {
    const plain = PLAIN[decision];
    return plain === undefined ? [] : [{ ...plain, decision }];
  }
  if (typeof decision !== 'object' || decision === null) return [];
  const fields = decision as Fields;
  const rule = textsIn(fieldsIn(fields, 'acceptWithExecpolicyAmendment'), 'execpolicy_amendment');
  if (rule.length > 0)
    return [{ id: `rule-${at}`, name: `Always allow: ${rule.join(' ')} …`, kind: 'allow_always', decision }];
  const network = fieldsIn(fieldsIn(fields, 'applyNetworkPolicyAmendment'), 'network_policy_amendment');
  const [host, action] = [textIn(network, 'host'), textIn(network, 'action')];
  if (host === undefined) return [];
  const isAllowed = action !== 'deny';
  return [
    {
      id: `network-${at}`,
      name: `${isAllowed ? 'Always allow' : 'Never allow'} ${host}`,
      kind: isAllowed ? 'allow_always' : 'reject_always',
      decision,
    },
  ];
}
