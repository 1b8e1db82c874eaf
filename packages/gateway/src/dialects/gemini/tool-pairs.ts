interface WaitingCall {
  id: string;
  name: string;
  isAnswered: boolean;
}

/**
 * Gives every call an id and every result that of its call.
 *
 * Ids may be left out in this protocol: then a result belongs to the first call of its name that waits. An id that is made
 * here comes from the call's place, so the same conversation has the same ids in every request.
 */
export class ToolPairs {
  #byId = new Map<string, WaitingCall>();
  /** Calls of one name, in their order. */
  #byName = new Map<string, WaitingCall[]>();
  #hasResults = false;
  #place = 0;
  #calls = 0;

  /** An answer begins at that place of the conversation. Calls of the answer before it, once results have come, wait no longer. */
  startAnswer(place: number): void {
    this.#place = place;
    this.#calls = 0;
    if (!this.#hasResults) return;
    this.#hasResults = false;
    this.#byId = new Map();
    this.#byName = new Map();
  }

  call(given: string | null | undefined, name: string): string {
    const call = { id: given || `call_${this.#place}_${this.#calls}`, name, isAnswered: false };
    this.#calls++;
    this.#byId.set(call.id, call);
    const sameName = this.#byName.get(name);
    if (sameName === undefined) this.#byName.set(name, [call]);
    else sameName.push(call);
    return call.id;
  }

  /** The id and the name of the call that a result belongs to. One that no call waits for keeps what it came with. */
  result(given: string | null | undefined, name: string | null | undefined): { id: string; name: string } {
    this.#hasResults = true;
    const call = this.#take(given ?? '', name ?? '');
    return { id: call?.id ?? (given || `call_${name ?? ''}`), name: call?.name ?? name ?? '' };
  }

  #take(id: string, name: string): WaitingCall | undefined {
    const sameName = this.#byName.get(name) ?? [];
    while (sameName[0]?.isAnswered === true) sameName.shift();
    const named = this.#byId.get(id);
    const call = named?.isAnswered === false ? named : sameName[0];
    if (call !== undefined) call.isAnswered = true;
    return call;
  }
}
