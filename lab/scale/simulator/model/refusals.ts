/** What a part of the deployment has refused. */
export interface Refused {
  /** Requests, or calls of DynamoDB, by the second in the counted time. The SDK repeats calls, and each attempt counts. */
  readonly rate: number;
  /** Ms from the start to the first refusal. */
  readonly from: number;
}

/** Counts refusals by the part that refused. */
export class Refusals {
  readonly #counts = new Map<string, { count: number; readonly from: number }>();
  readonly #begin: number;
  readonly #end: number;

  /** The counted time in ms. */
  constructor(begin: number, end: number) {
    this.#begin = begin;
    this.#end = end;
  }

  note(what: string, weight: number, now: number): void {
    const found = this.#counts.get(what) ?? { count: 0, from: now };
    this.#counts.set(what, found);
    if (now >= this.#begin && now < this.#end) found.count += weight;
  }

  /** The parts by their first refusal. */
  all(): Readonly<Record<string, Refused>> {
    const seconds = (this.#end - this.#begin) / 1000;
    const found = [...this.#counts].sort(([, a], [, b]) => a.from - b.from);
    return Object.fromEntries(
      found.map(([what, { count, from }]) => [what, { rate: count / seconds, from }]),
    );
  }
}
