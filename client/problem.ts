/** The fault of one part of a request. */
export interface Fault {
  readonly detail: string;
  readonly pointer?: string;
  readonly parameter?: string;
  readonly header?: string;
}

/** The JSON of a problem. Source: RFC 9457 §3.1. */
export interface ProblemBody {
  readonly type?: string;
  readonly title?: string;
  readonly detail?: string;
  readonly errors?: readonly Fault[];
}

/** A response that is not a success. Source: RFC 9457. */
export class Problem extends Error {
  /** The status code; 0 if no response came. */
  readonly status: number;
  readonly type: string;
  readonly title: string;
  /** The faults of the request, all at once. */
  readonly errors: readonly Fault[];

  constructor(status: number, body: ProblemBody) {
    const { type = 'about:blank', title = '', detail = title, errors = [] } = body;
    super(detail);
    this.status = status;
    this.type = type;
    this.title = title;
    this.errors = errors;
  }
}

/** Another client has changed the item. `mine`: the request. `theirs`: the item now. `base`: the item as it was. */
export class Conflict<Item = unknown> extends Problem {
  readonly mine: unknown;
  readonly theirs: Item;
  readonly base: unknown;

  constructor({ status, type, title, message }: Problem, mine: unknown, theirs: Item, base: unknown) {
    super(status, { type, title, detail: message });
    this.mine = mine;
    this.theirs = theirs;
    this.base = base;
  }
}
