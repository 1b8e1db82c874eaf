import { DragomanError } from '@dragoman/protocol';

/** A call that a rule of the gateway turned away. No provider was asked, so it says nothing about one. */
export class RefusedCall extends DragomanError {}
