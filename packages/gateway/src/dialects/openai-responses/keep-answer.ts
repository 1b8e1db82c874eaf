import { gatherAnswer, type ModelAnswer, type ModelSink } from '@dragoman/protocol';

/** A step that gives an answer the name it will be kept under, and hands it over when it is complete. */
export function keepAnswer(next: ModelSink, id: string, onAnswer: (answer: ModelAnswer) => void): ModelSink {
  const gathered = gatherAnswer();
  let isNamed = false;
  const pass: ModelSink['push'] = (event) => {
    gathered.push(event);
    next.push(event);
  };
  return {
    push(event) {
      if (event.type === 'response-metadata') pass({ ...event, id });
      else {
        if (!isNamed) pass({ type: 'response-metadata', id });
        pass(event);
      }
      isNamed = true;
      if (event.type === 'finish') onAnswer(gathered.answer);
    },
  };
}
