import type { Call, Row, SessionPart } from '@dragoman/protocol';
import { type Redacted, redactToolTextInTurns, redactToolValue, type Turns } from '@dragoman/protocol/secrets';

/** A chat shows less than this of the beginning and of the end of a text. */
const EDGE = 64_000;

/** Rows that did not change are the same objects, and so is what may be shown of them. */
const known = new WeakMap<Row, Row>();

/**
 * A part of a session for a chat, which keeps what it was sent on the servers of another company: what went into tools and
 * came out of them is without secrets. A question is not looked at here: who answers it has to see all of it.
 */
export function shareablePart(part: SessionPart): SessionPart {
  return { ...part, rows: part.rows.map(shareableRow) };
}

function shareableRow(row: Row): Row {
  let shareable = known.get(row);
  if (shareable === undefined) known.set(row, (shareable = withoutSecrets(row)));
  return shareable;
}

function withoutSecrets(row: Row): Row {
  switch (row.type) {
    case 'call':
      return { ...row, call: shareableCall(row.call) };
    case 'calls':
      return { ...row, calls: row.calls.map(shareableCall) };
    case 'result':
      return { ...row, shown: shareableResult(row.shown) };
    default:
      return row;
  }
}

function shareableCall(call: Call): Call {
  const { use, result, approvals, children } = call;
  const { input, title } = shareable({ input: use.block.input, title: use.block.title });
  const block = { ...use.block, input, ...(title === undefined ? {} : { title }) };
  return {
    ...call,
    use: { ...use, block, ...(use.inputText === undefined ? {} : { inputText: shareable(use.inputText) }) },
    result: result && shareableResult(result),
    approvals: approvals.map((approval) =>
      approval.diffs === undefined ? approval : { ...approval, diffs: shareable(approval.diffs) },
    ),
    children: children.map(shareableCall),
  };
}

function shareableResult<Shown extends NonNullable<Call['result']>>(shown: Shown): Shown {
  const { content, diffs } = shareable({ content: shown.block.content, diffs: shown.block.diffs });
  return { ...shown, block: { ...shown.block, content, ...(diffs === undefined ? {} : { diffs }) } };
}

function shareable<Value>(value: Value): Value {
  return redactToolValue(value, redactEdges).value;
}

function* redactEdges(text: string): Turns<Redacted> {
  if (text.length <= 2 * EDGE) return yield* redactToolTextInTurns(text);
  const start = yield* redactToolTextInTurns(text.slice(0, EDGE));
  const end = yield* redactToolTextInTurns(text.slice(-EDGE));
  return { text: `${start.text}${text.slice(EDGE, -EDGE)}${end.text}`, count: start.count + end.count };
}
