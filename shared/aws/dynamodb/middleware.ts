/** The input of a call, before the client writes it as JSON. */
interface Call {
  readonly input: object;
}

/** The result of a call. `response`: absent, because only the SDK's client has it. */
interface Answer {
  readonly output: object;
  readonly response?: unknown;
}

type Next = (call: Call) => Promise<Answer>;

/** A function around the calls of a client. `commandName`: e.g. `GetItemCommand`. */
export type Middleware = (next: Next, context: { readonly commandName: string }) => Next;

/**
 * The functions around the calls of a client. The last one that was added is the outermost one. They see a call once,
 * however many attempts it takes: the step `initialize` of the SDK's clients.
 *
 * Source: AWS SDK for JavaScript v3 Developer Guide, "Customizing the middleware stack".
 */
export class MiddlewareStack {
  #all: readonly { readonly name: string; readonly middleware: Middleware }[] = [];

  /** @throws Error for another step than `initialize` */
  add(middleware: Middleware, { step, name = '' }: { step: string; name?: string }): void {
    if (step !== 'initialize')
      throw new Error(`This client has no step '${step}': use 'initialize', or deploy with -c client=sdk`);
    this.#all = [...this.#all, { name, middleware }];
  }

  /** Removes the functions with this name. Returns whether there were any. */
  remove(name: string): boolean {
    const before = this.#all.length;
    this.#all = this.#all.filter((one) => one.name !== name);
    return this.#all.length < before;
  }

  /** A call through all functions, with `call` as the innermost one. */
  around(call: Next, commandName: string): Next {
    return this.#all.reduce((next, { middleware }) => middleware(next, { commandName }), call);
  }
}
